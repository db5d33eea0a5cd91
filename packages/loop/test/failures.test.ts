import type { ModelErrorCode } from '@x/contract'
import { describe, expect, test } from 'vitest'
import { play, tool, types } from './kit.ts'
import { broken, call, cut, fails, message, scriptedModel, start, text } from './scripted-model.ts'

const thought = { type: 'thinking' as const, thinking: 'Hm', signature: 's' }

/** A tool that counts its runs. */
function counted(isReadOnly: boolean): { runs: string[]; tools: () => ReturnType<typeof tool>[] } {
  const runs: string[] = []
  const counting = tool('Do', {
    isReadOnly,
    run: async (_input, context) => {
      runs.push(context.toolUseId)
      return { data: 'done' }
    },
  })
  return { runs, tools: () => [counting] }
}

describe('a failure before anything is complete', () => {
  test.each(['overloaded', 'server_error', 'connection_lost', 'timeout', 'rate_limit'] as const)(
    'is tried again and announced (%s)',
    async (code) => {
      const scripted = scriptedModel(
        [fails(code, { status: 529 })],
        [start(), fails(code)],
        message(text('Hi')),
      )
      const played = await play(scripted)
      const retries = played.records.filter((record) => record.type === 'system')
      expect(retries).toMatchObject([
        { subtype: 'api_retry', attempt: 1, max_retries: 10, retry_delay_ms: 500, error_status: 529 },
        { subtype: 'api_retry', attempt: 2, max_retries: 10, retry_delay_ms: 1_000, error_status: null },
      ])
      expect(played.result).toMatchObject({ is_error: false, result: 'Hi', num_turns: 1 })
    },
  )

  test('waits as long as the service asks', async () => {
    const scripted = scriptedModel([fails('rate_limit', { retryAfterMs: 7_000 })], message(text('Hi')))
    const played = await play(scripted)
    expect(played.waits).toEqual([7_000])
  })

  test('waits twice as long each time, up to a limit, and gives up after the last try', async () => {
    const scripted = scriptedModel(
      ...Array.from({ length: 20 }, () => [fails('overloaded', { status: 529 })]),
    )
    const played = await play(scripted)
    expect(played.waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000, 32_000, 32_000])
    expect(scripted.requests.length).toBe(11)
    expect(played.records.at(-2)).toMatchObject({ type: 'assistant', error: 'overloaded' })
    expect(played.result).toMatchObject({
      subtype: 'success',
      is_error: true,
      result: 'API Error: overloaded',
      api_error_status: 529,
      terminal_reason: 'api_error',
    })
    expect(played.faults).toEqual([])
  })

  test('a silent stream is tried once, outside the budget', async () => {
    const stalled = [start(), fails('stalled')]
    const once = await play(scriptedModel(stalled, [fails('overloaded')], message(text('Hi'))), {
      retry: { maxRetries: 1 },
    })
    expect(once.result).toMatchObject({ is_error: false, result: 'Hi' })
    const again = await play(scriptedModel(stalled, stalled, message(text('Hi'))))
    expect(types(again.records)).toEqual(['system/api_retry', 'assistant', 'result'])
    expect(again.result).toMatchObject({ is_error: true, terminal_reason: 'api_error' })
  })

  test('after finished thinking there are two quick tries', async () => {
    const lost = broken(thought, [fails('connection_lost')])
    const scripted = scriptedModel(lost, lost, lost, message(text('Hi')))
    const played = await play(scripted)
    expect(played.waits).toEqual([500, 500])
    expect(scripted.requests.length).toBe(3)
    expect(played.result).toMatchObject({ is_error: true, terminal_reason: 'api_error' })
  })

  test('an input that broke off before the end of its block never runs', async () => {
    const { runs, tools } = counted(false)
    const scripted = scriptedModel(broken(cut('tool_use'), [fails('connection_lost')]), message(text('Hi')))
    const played = await play(scripted, { tools })
    expect(runs).toEqual([])
    expect(types(played.records)).toEqual(['system/api_retry', 'assistant', 'result'])
  })

  test.each([
    ['authentication_failed', 401],
    ['billing_error', 402],
    ['permission_denied', 403],
    ['model_not_found', 404],
    ['invalid_request', 400],
    ['request_too_large', 413],
  ] as const)('%s ends the query at once', async (code, status) => {
    const scripted = scriptedModel([fails(code, { status })])
    const played = await play(scripted)
    expect(scripted.requests.length).toBe(1)
    expect(played.result).toMatchObject({ subtype: 'success', is_error: true, api_error_status: status })
  })

  test('something else that is thrown ends the query and not the host', async () => {
    const played = await play(scriptedModel([{ type: 'throw', error: 'boom' }]))
    expect(played.result).toMatchObject({ is_error: true, result: 'API Error: boom' })
  })

  test('a stream that ends without a stop reason was cut', async () => {
    const played = await play(scriptedModel(broken(), message(text('Hi'))))
    expect(types(played.records)).toEqual(['system/api_retry', 'assistant', 'result'])
  })
})

describe('a failure after something complete', () => {
  test('keeps the text, sends nothing again and says so', async () => {
    const scripted = scriptedModel(broken(text('Part one.'), [fails('connection_lost')]))
    const played = await play(scripted)
    expect(scripted.requests.length).toBe(1)
    const notice = 'API Error: Connection lost mid-response. The response above may be incomplete.'
    expect(
      played.records.map((record) => (record.type === 'system' ? record['content'] : record.type)),
    ).toEqual(['assistant', notice, 'result'])
    expect(played.result).toMatchObject({
      subtype: 'success',
      is_error: true,
      result: `Part one.\n\n${notice}`,
      terminal_reason: 'api_error',
    })
    expect(played.end.messages.at(-1)).toMatchObject({ role: 'assistant', content: [text('Part one.')] })
  })

  test.each([
    ['server_error', 'Server error mid-response'],
    ['stalled', 'The response stopped arriving'],
  ] as const)('names what happened: %s', async (code, what) => {
    const played = await play(scriptedModel(broken(text('Part'), [fails(code)])))
    expect(played.result.result).toContain(what)
  })

  test.each([
    ['streaming', true],
    ['streaming', false],
    ['batch', true],
    ['batch', false],
  ] as const)(
    'runs the complete call once and not the cut one (%s, read-only: %s)',
    async (engine, isReadOnly) => {
      const { runs, tools } = counted(isReadOnly)
      const lost = broken(call('a', 'Do'), cut('tool_use'), [fails('connection_lost')])
      const scripted = scriptedModel(lost)
      const played = await play(scripted, { tools, engine })
      expect(runs).toEqual(['a'])
      expect(scripted.requests[1]?.messages.at(-1)?.content).toMatchObject([
        { tool_use_id: 'a', content: 'done' },
      ])
      expect(JSON.stringify(played.records)).toContain('Connection lost mid-response')
      expect(played.result).toMatchObject({ is_error: false, result: 'Done.' })
      expect(played.faults).toEqual([])
    },
  )

  test('after the stop reason the message counts as complete', async () => {
    const scripted = scriptedModel([...message(text('Hi')), fails('connection_lost')])
    const played = await play(scripted)
    expect(types(played.records)).toEqual(['assistant', 'result'])
    expect(played.result).toMatchObject({ is_error: false, result: 'Hi' })
  })
})

describe('a fallback model', () => {
  const models = { fallbackModels: ['second', 'main', 'second', 'third'] }

  test('takes over after the last retry, and the next turn asks the main one', async () => {
    const { tools } = counted(true)
    const scripted = scriptedModel([fails('overloaded')], message(call('a', 'Do')), message(text('Hi')))
    const played = await play(scripted, { tools, ...models, retry: { maxRetries: 0 } })
    expect(scripted.requests.map((request) => request.model)).toEqual(['main', 'second', 'main'])
    expect(Object.keys(played.result.modelUsage)).toEqual(['second', 'main'])
    expect(played.result).toMatchObject({ is_error: false, result: 'Hi' })
  })

  test('each is asked in its order, and once', async () => {
    const scripted = scriptedModel(
      ...Array.from({ length: 9 }, () => [fails('model_not_found', { status: 404 })]),
    )
    const played = await play(scripted, models)
    expect(scripted.requests.map((request) => request.model)).toEqual(['main', 'second', 'third'])
    expect(played.result).toMatchObject({ is_error: true, api_error_status: 404 })
  })

  test.each([
    'authentication_failed',
    'billing_error',
    'permission_denied',
    'rate_limit',
    'request_too_large',
    'prompt_too_long',
    'connection_lost',
    'stalled',
  ] satisfies ModelErrorCode[])('is not asked after %s', async (code) => {
    const scripted = scriptedModel(...Array.from({ length: 9 }, () => [fails(code)]))
    await play(scripted, { ...models, retry: { maxRetries: 0 } })
    expect(new Set(scripted.requests.map((request) => request.model))).toEqual(new Set(['main']))
  })

  test('in mid-stream the message is withdrawn while nothing with effects has begun', async () => {
    const { runs, tools } = counted(true)
    const lost = broken(text('Part'), call('a', 'Do'), [fails('overloaded')])
    const scripted = scriptedModel(lost, message(text('Hi')))
    const played = await play(scripted, { tools, ...models })
    expect(scripted.requests.map((request) => request.model)).toEqual(['main', 'second'])
    expect(scripted.requests[1]?.messages).toEqual(scripted.requests[0]?.messages)
    expect(played.records).toContainEqual(
      expect.objectContaining({
        subtype: 'message_withdrawn',
        reason: 'fallback',
        message_id: expect.any(String),
      }),
    )
    expect(played.end.messages).toHaveLength(2)
    expect(runs.length).toBeLessThanOrEqual(1)
    const progress = played.records.filter((record) => record.type === 'tool_progress')
    expect(progress.map((record) => record.phase)).toEqual(progress.length === 0 ? [] : ['start', 'end'])
  })

  test('after a call with effects the message stays, and the fallback goes on from its result', async () => {
    const { runs, tools } = counted(false)
    const wait = [{ type: 'wait' as const, until: () => new Promise((resolve) => setImmediate(resolve)) }]
    const lost = broken(call('a', 'Do'), wait, [fails('overloaded')])
    const scripted = scriptedModel(lost, message(call('b', 'Do')), message(text('Hi')))
    const played = await play(scripted, { tools, ...models })
    expect(scripted.requests.map((request) => request.model)).toEqual(['main', 'second', 'main'])
    expect(runs).toEqual(['a', 'b'])
    expect(played.result).toMatchObject({ is_error: false, result: 'Hi' })
    expect(played.faults).toEqual([])
  })

  test('is asked after a refusal', async () => {
    const scripted = scriptedModel(message(text('No'), 'refusal'), message(text('Yes')))
    const played = await play(scripted, models)
    expect(scripted.requests.map((request) => request.model)).toEqual(['main', 'second'])
    expect(played.result).toMatchObject({ is_error: false, result: 'Yes' })
    expect(played.end.messages).toHaveLength(2)
  })
})
