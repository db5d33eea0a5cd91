import { text, toolUse } from '@x/model-anthropic/testing'
import { expect, it } from 'vitest'
import { createControlRouter } from '../src/index.ts'
import { collect, createTalk, resultsOf, Scripted, textOf, toolResultsOf } from './scripted.ts'

const notebook = `${JSON.stringify(
  {
    cells: [
      {
        cell_type: 'code',
        execution_count: 1,
        id: 'a',
        metadata: {},
        outputs: [{ output_type: 'x' }],
        source: ['1'],
      },
    ],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  },
  undefined,
  1,
)}\n`

const changeOf = (name: string) =>
  toolUse('NotebookEdit', { notebook_path: name, cell_id: 'a', new_source: '2' })
const readAndChange = (name: string) => [[toolUse('Read', { file_path: name })], [changeOf(name)]]

it('rewind_files brings back a notebook that NotebookEdit changed, to the byte', async () => {
  await using scripted = await Scripted.start([...readAndChange('n.ipynb'), [text('Done.')]], {
    'n.ipynb': notebook,
  })
  const talk = createTalk()
  const uuid = '11111111-2222-4333-8444-555555555555'
  talk.say({ type: 'user', uuid, message: { role: 'user', content: 'Go' } })
  const running = scripted.ask(talk.prompt, { permissionMode: 'acceptEdits' })
  const route = createControlRouter(running)
  let changed: string | undefined
  let answer: unknown
  for await (const event of running) {
    if (event.type !== 'result') continue
    changed = scripted.read('n.ipynb')
    // The query counts as running until its last record is taken.
    setImmediate(async () => {
      const request = { subtype: 'rewind_files', user_message_id: uuid }
      answer = (await route({ type: 'control_request', request_id: '1', request })).response
      talk.end()
    })
  }
  expect(changed && JSON.parse(changed).cells[0]).toMatchObject({
    source: ['2'],
    outputs: [],
    execution_count: null,
  })
  const filesChanged = [scripted.path('n.ipynb')]
  expect(answer).toMatchObject({ response: { canRewind: true, filesChanged } })
  expect(scripted.read('n.ipynb')).toBe(notebook)
})

it('rules about Edit speak of notebooks, and a call in the default mode is asked about', async () => {
  const files = { 'free.ipynb': notebook, 'locked.ipynb': notebook }
  const script = [...readAndChange('free.ipynb'), ...readAndChange('locked.ipynb'), [text('Done.')]]
  await using accepting = await Scripted.start(script, files)
  const options = { permissionMode: 'acceptEdits', disallowedTools: ['Edit(locked.ipynb)'] } as const
  const results = toolResultsOf(await collect(accepting.ask('Go', options)))
  expect(results.map(({ is_error }) => is_error === true)).toEqual([false, false, false, true])
  expect(accepting.read('free.ipynb')).not.toBe(notebook)
  expect(accepting.read('locked.ipynb')).toBe(notebook)

  await using asking = await Scripted.start([...readAndChange('free.ipynb'), [text('Done.')]], files)
  const asked: unknown[] = []
  await collect(
    asking.ask('Go', {
      canUseTool: async (name, input) => {
        asked.push([name, input['notebook_path']])
        return { behavior: 'deny', message: 'No.' }
      },
    }),
  )
  expect(asked).toEqual([['NotebookEdit', asking.path('free.ipynb')]])
  expect(asking.read('free.ipynb')).toBe(notebook)
})

it('the report of an agent names the notebook that it changed', async () => {
  const agent = toolUse('Agent', { description: 'Change it', prompt: 'Go', subagent_type: 'general-purpose' })
  const script = [[agent], ...readAndChange('n.ipynb'), [text('Changed.')], [text('Done.')]]
  await using scripted = await Scripted.start(script, { 'n.ipynb': notebook })
  const events = await collect(scripted.ask('Go', { permissionMode: 'acceptEdits' }))
  const own = events.filter((event) => 'parent_tool_use_id' in event && event.parent_tool_use_id === null)
  expect(textOf(toolResultsOf(own)[0])).toContain(`files changed: ${scripted.path('n.ipynb')}`)
  expect(resultsOf(events)[0]?.result).toBe('Done.')
})
