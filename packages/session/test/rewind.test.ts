import { text, toolUse } from '@x/model-anthropic/testing'
import { expect, it } from 'vitest'
import { createControlRouter } from '../src/index.ts'
import { createTalk, Scripted } from './scripted.ts'

it('rewind_files says what it would do, does it, and refuses while a query runs', async () => {
  await using scripted = await Scripted.start(
    [[toolUse('Write', { file_path: 'a.txt', content: 'after\n' })], [text('Done.')], [text('Fine.')]],
    {},
  )
  const talk = createTalk()
  const uuid = '11111111-2222-4333-8444-555555555555'
  talk.say({ type: 'user', uuid, message: { role: 'user', content: 'Go' } })
  const running = scripted.ask(talk.prompt, { permissionMode: 'bypassPermissions' })
  const route = createControlRouter(running)
  const ask = async (fields: object) =>
    (
      await route({
        type: 'control_request',
        request_id: '1',
        request: { subtype: 'rewind_files', ...fields },
      })
    ).response
  for await (const event of running) {
    if (event.type === 'tool_progress' && event.phase === 'start') {
      expect(await ask({ user_message_id: uuid })).toMatchObject({ subtype: 'error' })
    }
    if (event.type !== 'result') continue
    expect(scripted.read('a.txt')).toBe('after\n')
    const file = scripted.path('a.txt')
    const would = { canRewind: true, filesChanged: [file], insertions: 0, deletions: 1 }
    expect(await ask({ user_message_id: uuid, dry_run: true })).toMatchObject({ response: would })
    expect(scripted.read('a.txt')).toBe('after\n')
    // The query counts as running until its last record is taken.
    setImmediate(async () => {
      expect(await ask({ user_message_id: uuid })).toMatchObject({ response: would })
      expect(scripted.read('a.txt')).toBeUndefined()
      expect(await ask({ user_message_id: 'unknown' })).toMatchObject({ response: { canRewind: false } })
      talk.end()
    })
  }
  expect(scripted.read('a.txt')).toBeUndefined()
})
