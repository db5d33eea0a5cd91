import type { Message } from '@x/contract'
import { describe, expect, test } from 'vitest'
import {
  type Compact,
  type CompactOptions,
  type CompactOutcome,
  runQuery,
  type UnchangedHistory,
} from '../src/index.ts'
import { play, setUp, tool } from './kit.ts'
import { call, end, fails, message, type Step, scriptedModel, start, text, usage } from './scripted-model.ts'

const tools = () => [tool('Read')]
const summary: Message[] = [{ role: 'user', content: 'Summary: they said Go' }]

/** A `compact` that has no records. */
function given(outcome: (...args: Parameters<Compact>) => CompactOutcome | Promise<CompactOutcome>): Compact {
  return async function* (...args) {
    yield* []
    return await outcome(...args)
  }
}

/** Makes any history the summary; tells what it was called with. */
function noting(note: (messages: readonly Message[]) => void = () => undefined): {
  reasons: string[]
  compact: Compact
} {
  const reasons: string[] = []
  return {
    reasons,
    compact: given(async (messages, { reason }) => {
      reasons.push(reason)
      note(messages)
      return { type: 'shorter', messages: summary, commit: async () => [] }
    }),
  }
}

const unchanged = (cause: UnchangedHistory['cause']): Compact =>
  given(() => ({ type: 'unchanged', cause, message: cause }))

/** A message that fills the window. */
const full = (id: string): Step[] => [
  ...message(call(id, 'Read')).slice(0, -1),
  { ...end('tool_use'), usage: usage(185_000, 10) } as Step,
]

describe('a history that outgrows the window', () => {
  test('ends the query where nobody makes it shorter', async () => {
    const scripted = scriptedModel([fails('prompt_too_long', { status: 400 })])
    const played = await play(scripted)
    expect(played.result).toMatchObject({
      subtype: 'success',
      is_error: true,
      api_error_status: 400,
      terminal_reason: 'prompt_too_long',
    })
  })

  test('is made shorter after a request that was too long, once', async () => {
    const { reasons, compact } = noting()
    const scripted = scriptedModel([fails('prompt_too_long')], message(text('Hi')))
    const played = await play(scripted, { compact })
    expect([reasons, scripted.requests[1]?.messages]).toEqual([['prompt-too-long'], summary])
    expect(played.result).toMatchObject({ is_error: false, result: 'Hi' })
    expect(played.end.added).toEqual(played.end.messages)

    const again = await play(scriptedModel([fails('prompt_too_long')], [fails('prompt_too_long')]), {
      compact,
    })
    expect(again.result.terminal_reason).toBe('prompt_too_long')
  })

  test('is made shorter before the window is full', async () => {
    const { reasons, compact } = noting()
    const scripted = scriptedModel(full('a'))
    await play(scripted, { tools, compact })
    expect(reasons).toEqual(['near-limit'])
    expect(scripted.requests[1]?.messages).toEqual(summary)
  })

  test('is made shorter again when it has grown again', async () => {
    const { reasons, compact } = noting()
    await play(scriptedModel(full('a'), full('b')), { tools, compact })
    expect(reasons).toEqual(['near-limit', 'near-limit'])
  })

  test('is made shorter after a message that met the end of the window', async () => {
    const { reasons, compact } = noting()
    await play(scriptedModel(message(call('a', 'Read'), 'model_context_window_exceeded')), { tools, compact })
    const cut = { ...end('model_context_window_exceeded'), usage: usage(199_000, 1_000) } as Step
    await play(scriptedModel([...full('a').slice(0, -1), cut]), { tools, compact })
    expect(reasons).toEqual(['cut-off', 'cut-off'])
  })

  test('is logged before it is made shorter', async () => {
    const order: string[] = []
    const { compact } = noting((messages) => order.push(`compact ${messages.length}`))
    const history = {
      append: async (messages: readonly Message[]) => void order.push(`log ${messages.length}`),
    }
    await play(scriptedModel([fails('prompt_too_long')]), { compact, history })
    expect(order).toEqual(['log 1', 'compact 1', 'log 1'])
  })

  test('is logged with the last results before it is made shorter', async () => {
    const logged: Message[] = []
    const seen: boolean[] = []
    const { compact } = noting((messages) => seen.push(messages.every((each) => logged.includes(each))))
    const history = { append: async (messages: readonly Message[]) => void logged.push(...messages) }
    const scripted = scriptedModel(full('a'))
    await play(scripted, { tools, compact, history })
    expect(seen).toEqual([true])
  })

  test('whose shortening is aborted ends the query at once, whatever hangs', async () => {
    const controller = new AbortController()
    const aborted = await play(scriptedModel([start(), fails('prompt_too_long')]), {
      controller,
      async *compact() {
        yield { type: 'system', subtype: 'status', status: 'compacting' }
        setImmediate(() => controller.abort())
        return await new Promise<never>(() => undefined)
      },
    })
    expect([aborted.result.terminal_reason, aborted.listeners]).toEqual(['aborted_streaming', 0])
    expect(aborted.records.filter((record) => 'status' in record)).toMatchObject([
      { status: 'compacting' },
      { status: null },
    ])
  })

  test('lets go of whoever makes it shorter when the reader leaves', async () => {
    const { promise: left, resolve } = Promise.withResolvers<void>()
    const { query } = setUp(scriptedModel(full('a')), {
      tools,
      async *compact() {
        try {
          yield { type: 'system', subtype: 'status', status: 'compacting' }
          return { type: 'unchanged', cause: 'failed', message: 'no' }
        } finally {
          resolve()
        }
      },
    })
    for await (const record of query) if (record.type === 'system') break
    await left
  })

  test('that the service refuses ends the query with its error where nothing makes it shorter', async () => {
    const failing = given(() => Promise.reject(new Error('no summary')))
    for (const compact of [failing, unchanged('blocked'), unchanged('failed'), unchanged('off')]) {
      const played = await play(scriptedModel([fails('prompt_too_long', { status: 400 })]), { compact })
      expect(played.result).toMatchObject({ terminal_reason: 'prompt_too_long', api_error_status: 400 })
    }
    const told = await play(scriptedModel([fails('prompt_too_long')]), { compact: failing })
    expect(told.records[0]).toMatchObject({
      subtype: 'informational',
      content: expect.stringContaining('no summary'),
    })
  })

  test('goes on as it was where the window is nearly full and nothing makes it shorter', async () => {
    for (const cause of ['blocked', 'failed', 'off', 'empty'] as const) {
      const scripted = scriptedModel(full('a'))
      const played = await play(scripted, { tools, compact: unchanged(cause) })
      expect([scripted.requests[1]?.messages.length, played.result.result]).toEqual([3, 'Done.'])
    }
  })

  test('is tried to be made shorter after a refusal too, when that had failed before', async () => {
    const reasons: string[] = []
    const scripted = scriptedModel(full('a'), [fails('prompt_too_long')])
    const played = await play(scripted, {
      tools,
      compact: given(async (_messages, { reason }) => {
        reasons.push(reason)
        if (reason === 'near-limit') return { type: 'unchanged', cause: 'failed', message: 'overloaded' }
        return { type: 'shorter', messages: summary, commit: async () => [] }
      }),
    })
    expect([reasons, played.result.result]).toEqual([['near-limit', 'prompt-too-long'], 'Done.'])
  })

  test('is left alone after three failures in a row', async () => {
    let tries = 0
    const scripted = scriptedModel(...['a', 'b', 'c', 'd', 'e'].map(full))
    await play(scripted, {
      tools,
      compact: given(async () => {
        tries += 1
        return { type: 'unchanged', cause: 'failed', message: 'no' }
      }),
    })
    expect([tries, scripted.requests.length]).toEqual([3, 6])
  })

  test('ends the query when the window is full again after each of three compactions', async () => {
    const { reasons, compact } = noting()
    const played = await play(scriptedModel(...['a', 'b', 'c', 'd', 'e'].map(full)), { tools, compact })
    expect(reasons.length).toBe(3)
    expect(played.result).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'rapid_refill_breaker',
      errors: [expect.stringContaining('3 compactions')],
    })
    expect(played.faults).toEqual([])
  })

  test('may fill the window as often as it likes where work is done in between', async () => {
    const { reasons, compact } = noting()
    const small = (id: string) => message(call(id, 'Read'))
    const ids = ['a', 'b', 'c', 'd', 'e'].flatMap((id) => [full(id), small(`${id}1`), small(`${id}2`)])
    const played = await play(scriptedModel(...ids), { tools, compact })
    expect([reasons.length, played.end.reason]).toEqual([5, 'completed'])
  })

  test('is not replaced where it cannot be logged, and the query ends', async () => {
    const played = await play(scriptedModel(full('a')), {
      tools,
      compact: given(async () => {
        return { type: 'shorter', messages: summary, commit: () => Promise.reject(new Error('disk full')) }
      }),
    })
    expect(played.result).toMatchObject({ subtype: 'error_during_execution', errors: ['disk full'] })
    expect(played.end.messages.length).toBe(3)
  })

  test('is logged to its end after an abort, and then it is in place', async () => {
    const controller = new AbortController()
    const played = await play(scriptedModel(full('a')), {
      tools,
      controller,
      compact: given(async () => {
        const commit = async () => {
          controller.abort()
          await new Promise((resolve) => setImmediate(resolve))
          return []
        }
        return { type: 'shorter', messages: summary, commit }
      }),
    })
    expect(played.result.terminal_reason).toBe('aborted_streaming')
    expect(played.end.messages).toMatchObject([
      { role: 'user', content: [text('Summary: they said Go'), { type: 'text' }] },
    ])
  })

  test('is told of what the service needs to find its cache, and of which calls can be made again', async () => {
    const seen: CompactOptions[] = []
    const ask = { ...tool('Ask'), requiresUserInteraction: true }
    await play(scriptedModel(full('a')), {
      tools: () => [tool('Read'), tool('Edit', { isReadOnly: false }), ask],
      system: [{ type: 'text', text: 'Be brief' }],
      parentToolUseId: 'toolu_agent',
      compact: given(async (_messages, options) => {
        seen.push(options)
        return { type: 'unchanged', cause: 'off', message: '' }
      }),
    })
    expect(seen).toMatchObject([
      {
        reason: 'near-limit',
        modelName: 'main',
        system: [{ text: 'Be brief' }],
        tools: [{ name: 'Read' }, { name: 'Edit' }, { name: 'Ask' }],
        limitTokens: 180_000,
        parentToolUseId: 'toolu_agent',
      },
    ])
    expect(seen[0]?.contextTokens).toBeGreaterThan(185_010)
    const names = ['Read', 'Edit', 'Ask', 'Gone']
    expect(
      names.map((name) => seen[0]?.isRepeatable?.({ type: 'tool_use', id: 'x', name, input: {} })),
    ).toEqual([true, false, false, false])
  })

  test('counts by an estimate what the service has not counted yet', async () => {
    const { reasons, compact } = noting()
    const long = 'word '.repeat(19_000)
    const compactThreshold = 0.1
    await play(scriptedModel(), { compact, compactThreshold, prompt: [{ role: 'user', content: long }] })
    const read = () => [tool('Read', { run: async () => ({ data: long }) })]
    await play(scriptedModel(message(call('a', 'Read'))), { compact, compactThreshold, tools: read })
    expect(reasons).toEqual(['near-limit', 'near-limit'])
  })

  test('is made shorter at the part of the window that the option says', async () => {
    const { reasons, compact } = noting()
    const half = [
      ...message(call('a', 'Read')).slice(0, -1),
      { ...end('tool_use'), usage: usage(101_000, 10) } as Step,
    ]
    await play(scriptedModel(half), { tools, compact })
    expect(reasons).toEqual([])
    await play(scriptedModel(half), { tools, compact, compactThreshold: 0.5 })
    expect(reasons).toEqual(['near-limit'])
    for (const compactThreshold of [0, 1.1, Number.NaN]) {
      expect(() => runQuery({ compactThreshold } as never)).toThrow(RangeError)
    }
  })

  test('costs what its summary costs', async () => {
    const played = await play(scriptedModel(full('a')), {
      tools,
      compact: given(async (_messages, { onUsage }) => {
        onUsage?.('main', usage(1_000, 100))
        return { type: 'unchanged', cause: 'failed', message: 'no' }
      }),
    })
    expect(played.result.usage).toMatchObject({ input_tokens: 186_010, output_tokens: 115 })
  })

  test('is not sent when its summary has used up the budget', async () => {
    const scripted = scriptedModel(full('a'))
    const played = await play(scripted, {
      tools,
      limits: { maxTokens: 186_000 },
      compact: given(async (_messages, { onUsage }) => {
        onUsage?.('main', usage(1_000, 100))
        return { type: 'shorter', messages: summary, commit: async () => [] }
      }),
    })
    expect([scripted.requests.length, played.result.terminal_reason]).toEqual([1, 'budget_exhausted'])
  })
})
