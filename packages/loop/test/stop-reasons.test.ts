import { describe, expect, test } from 'vitest'
import { play, tool, types } from './kit.ts'
import {
  blockSteps,
  call,
  cut,
  end,
  message,
  type Step,
  scriptedModel,
  start,
  text,
} from './scripted-model.ts'

const read = [tool('Read')]

describe('when the model stops', () => {
  test.each(['end_turn', 'stop_sequence'] as const)('%s ends the query with its text', async (stopReason) => {
    const played = await play(scriptedModel(message(text('Hello'), stopReason)))
    expect(played.result).toMatchObject({
      subtype: 'success',
      is_error: false,
      result: 'Hello',
      stop_reason: stopReason,
    })
    expect(played.end.reason).toBe('completed')
  })

  test('an empty end of turn is not sent again, and leaves a valid history for the next prompt', async () => {
    const first = await play(scriptedModel(message(call('a', 'Read')), message()), { tools: () => read })
    expect(first.result).toMatchObject({ subtype: 'success', is_error: false, result: '' })
    expect(first.end.messages.at(-1)?.role).toBe('user')
    const scripted = scriptedModel(message(text('Fine')))
    const second = await play(scripted, { messages: first.end.messages })
    expect([first.faults, second.faults]).toEqual([[], []])
    expect(scripted.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  test('a pause goes back as it is, without a word of the user', async () => {
    const scripted = scriptedModel(message(text('Searching'), 'pause_turn'), message(text('Found')))
    const played = await play(scripted)
    expect(scripted.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'assistant',
      content: [text('Searching')],
    })
    expect(played.result).toMatchObject({ result: 'Found', num_turns: 2 })
    expect(played.end.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(played.faults).toEqual([])
  })

  test('pauses without end are ended', async () => {
    const scripted = scriptedModel(...Array.from({ length: 60 }, () => message(text('Wait'), 'pause_turn')))
    const played = await play(scripted)
    expect(scripted.requests.length).toBe(51)
    expect(played.result).toMatchObject({
      subtype: 'success',
      is_error: true,
      terminal_reason: 'model_error',
    })
  })

  test('a text cut by the output limit is kept and says so', async () => {
    const played = await play(scriptedModel(message(text('Once upon'), 'max_tokens')))
    expect(played.records[0]).toMatchObject({ type: 'assistant', error: 'max_output_tokens' })
    expect(played.result).toMatchObject({
      subtype: 'success',
      result: 'Once upon',
      stop_reason: 'max_tokens',
    })
  })

  test('a refusal ends the query, is not asked again, and keeps the history valid', async () => {
    const scripted = scriptedModel([
      start(),
      ...blockSteps(text('No'), 0),
      end('refusal', { refusal: 'not that' }),
    ])
    const played = await play(scripted)
    expect(scripted.requests.length).toBe(1)
    expect(played.result).toMatchObject({
      subtype: 'success',
      is_error: true,
      result: 'API Error: not that',
      stop_reason: 'refusal',
      terminal_reason: 'model_error',
    })
    expect(played.faults).toEqual([])
  })

  test('a refusal answers calls that had not begun, and lets the running one end', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const slow = tool('Write', {
      isReadOnly: false,
      run: async () => {
        await gate
        return { data: 'written' }
      },
    })
    const scripted = scriptedModel([
      start(),
      ...blockSteps(call('a', 'Write'), 0),
      ...blockSteps(call('b', 'Write'), 1),
      end('refusal'),
    ])
    const played = await play(scripted, { tools: () => [slow] }, (record) => {
      if (record.type === 'assistant' && record.message.content.length > 0) setImmediate(open)
    })
    const results = played.end.messages[2]?.content
    expect(results).toMatchObject([
      { tool_use_id: 'a', content: 'written' },
      { tool_use_id: 'b', is_error: true },
    ])
    expect(played.result).toMatchObject({ is_error: true, terminal_reason: 'model_error' })
    expect(played.faults).toEqual([])
  })

  test('the end of the window counts as cut off: complete calls run', async () => {
    const scripted = scriptedModel(message(call('a', 'Read'), 'model_context_window_exceeded'))
    const played = await play(scripted, { tools: () => read })
    expect(played.result).toMatchObject({ subtype: 'success', result: 'Done.' })
    expect(played.faults).toEqual([])
  })
})

describe('the output limit inside a call', () => {
  test.each(['max_tokens', 'model_context_window_exceeded'] as const)(
    'a call whose input broke is answered with the limit, never run (%s)',
    async (limit) => {
      const runs: string[] = []
      const write = tool('Write', {
        run: async () => {
          runs.push('Write')
          return { data: 'ran' }
        },
      })
      const scripted = scriptedModel([
        start(),
        { type: 'block-start', index: 0, blockType: 'tool_use' },
        { type: 'block-end', index: 0, block: call('a', 'Write'), inputError: 'Unexpected end of JSON' },
        end(limit),
      ])
      const played = await play(scripted, { tools: () => [write] })
      expect(runs).toEqual([])
      expect(JSON.stringify(scripted.requests[1]?.messages.at(-1))).toMatch(/output limit/i)
      expect(played.faults).toEqual([])
    },
  )

  test.each(['streaming', 'batch'] as const)(
    'a call whose block never ended does not run, though its input would parse; the complete one runs (%s)',
    async (engine) => {
      const scripted = scriptedModel(message(call('a', 'Read'), cut('tool_use'), 'max_tokens'))
      const played = await play(scripted, { tools: () => read, engine })
      expect(scripted.requests[1]?.messages.at(-1)?.content).toMatchObject([
        { type: 'tool_result', tool_use_id: 'a', content: 'Read ran' },
        { type: 'text', text: expect.stringMatching(/output limit/i) },
      ])
      expect(JSON.stringify(played.end.messages)).not.toContain('a.txt')
      expect(played.result.result).toBe('Done.')
      expect(played.faults).toEqual([])
    },
  )

  test('a message that was nothing but a cut call tells the model, a few times at most', async () => {
    const scripts = Array.from({ length: 9 }, () => message(cut('tool_use'), 'max_tokens'))
    const scripted = scriptedModel(...scripts)
    const played = await play(scripted, { tools: () => read })
    expect(scripted.requests.length).toBe(4)
    expect(played.result).toMatchObject({ is_error: true, terminal_reason: 'model_error' })
    expect(played.faults).toEqual([])
  })
})

describe('the input of a call', () => {
  test.each(['streaming', 'batch'] as const)(
    'that is no JSON is answered with an input error, and its neighbours run (%s)',
    async (engine) => {
      const scripted = scriptedModel([
        start(),
        ...blockSteps(call('a', 'Read'), 0),
        { type: 'block-end', index: 1, block: call('b', 'Read'), inputError: 'Unexpected token' },
        ...blockSteps(call('c', 'Read'), 2),
        end('tool_use'),
      ])
      const played = await play(scripted, { tools: () => read, engine })
      expect(played.end.messages[2]?.content).toMatchObject([
        { tool_use_id: 'a', content: 'Read ran' },
        { tool_use_id: 'b', is_error: true, content: expect.stringContaining('InputValidationError') },
        { tool_use_id: 'c', content: 'Read ran' },
      ])
      expect(types(played.records).at(-1)).toBe('result')
    },
  )
})

test('messages that are cut off or paused end the query only when they come in a row', async () => {
  const isCut = message(cut('tool_use'), 'max_tokens')
  const paused = message(text('One moment'), 'pause_turn')
  const times = (count: number, script: readonly Step[]) => Array.from({ length: count }, () => script)
  const cutting = scriptedModel(...times(3, isCut), message(call('a', 'Read')), ...times(3, isCut))
  const played = await play(cutting, { tools: () => [tool('Read')] })
  expect(played.result).toMatchObject({ is_error: false, result: 'Done.' })
  const pausing = scriptedModel(...times(30, paused), message(call('a', 'Read')), ...times(30, paused))
  const again = await play(pausing, { tools: () => [tool('Read')] })
  expect(again.result).toMatchObject({ is_error: false, result: 'Done.' })
})
