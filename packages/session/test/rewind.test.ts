import { writeFileSync } from 'node:fs'
import { defineTool } from '@x/contract'
import { text, toolUse } from '@x/model-anthropic/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createControlRouter } from '../src/index.ts'
import { createTalk, Scripted } from './scripted.ts'
import { isPhase } from './wire.ts'

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

it('rewinding waits for an interrupted call that does not hear its abort: what it still writes is taken back, too', async () => {
  await using scripted = await Scripted.start([[toolUse('Deaf', {})]])
  const released = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const file = scripted.path('a.txt')
  const deaf = defineTool({
    name: 'Deaf',
    description: 'Writes when it likes.',
    inputSchema: z.object({}),
    async call(_input, { fileHistory }) {
      await released.promise
      const after = [Buffer.from('late\n')]
      const noteWritten = await fileHistory?.beforeChange({ path: file, before: undefined, after })
      writeFileSync(file, 'late\n')
      await noteWritten?.()
      ended.resolve()
      return { data: 'Written.' }
    },
    mapResult: (content, id) => ({ type: 'tool_result', tool_use_id: id, content }),
  })
  const talk = createTalk()
  const uuid = '11111111-2222-4333-8444-555555555555'
  talk.say({ type: 'user', uuid, message: { role: 'user', content: 'Go' } })
  const running = scripted.ask(talk.prompt, { permissionMode: 'bypassPermissions', extraTools: [deaf] })
  for await (const event of running) {
    if (isPhase(event, 'Deaf', 'start')) running.interrupt()
    if (event.type !== 'result') continue
    const rewound = running.rewindFiles(uuid)
    released.resolve()
    expect(await rewound).toMatchObject({ canRewind: true, filesChanged: [file] })
    await ended.promise
    expect(scripted.read('a.txt')).toBeUndefined()
    talk.end()
  }
  expect.assertions(2)
})

it('rewinding is refused while an agent works in the background', async () => {
  const work = { description: 'a task', prompt: 'Look.', run_in_background: true }
  await using scripted = await Scripted.start([[toolUse('Agent', work)], [text('Started.')], [text('Fine.')]])
  const talk = createTalk()
  const uuid = '11111111-2222-4333-8444-555555555555'
  talk.say({ type: 'user', uuid, message: { role: 'user', content: 'Go' } })
  const held = Promise.withResolvers<undefined>()
  const hooks = {
    SubagentStart: [{ hooks: [() => undefined] }],
    SubagentStop: [{ hooks: [() => held.promise] }],
  }
  const running = scripted.ask(talk.prompt, { hooks })
  for await (const event of running) {
    if (event.type !== 'result') continue
    await expect(running.rewindFiles(uuid)).rejects.toThrow('while agents work in the background')
    held.resolve(undefined)
    talk.end()
    break
  }
  expect.assertions(1)
})
