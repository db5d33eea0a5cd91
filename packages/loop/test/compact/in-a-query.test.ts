import { EventEmitter } from 'node:events'
import { checkHistory, type Message, repairHistory } from '@x/contract'
import { describe, expect, test } from 'vitest'
import { type CompactorOptions, createCompactor } from '../../src/index.ts'
import { play, setUp, tool, types } from '../kit.ts'
import { call, end, fails, message, type ScriptedModel, type Step, text, usage } from '../scripted-model.ts'
import { summarizer } from './compact-kit.ts'

const read = tool('Read', { run: async () => ({ data: 'x'.repeat(8_000) }) })
const edit = tool('Edit', { run: async () => ({ data: 'y'.repeat(8_000) }), isReadOnly: false })
const tools = () => [read, edit]

/** A call, after a request of so many tokens. */
const reads = (id: string, tokens: number, name = 'Read'): Step[] => [
  ...message(call(id, name)).slice(0, -1),
  { ...end('tool_use'), usage: usage(tokens, 10) } as Step,
]

function compacting(model: ScriptedModel, more: Partial<CompactorOptions> = {}) {
  const logged: (readonly Message[])[] = []
  const log: CompactorOptions['log'] = async (_compaction, messages) => void logged.push(messages)
  return { logged, options: { tools, compact: createCompactor({ model, log, keepTurns: 1, ...more }) } }
}

describe('a query whose window gets full', () => {
  test('asks for the summary with the effort of its other requests', async () => {
    const model = summarizer(reads('a', 9_000), message(text('All done.')))
    const { options } = compacting(model)
    await play(model, { ...options, effort: 'low' })
    expect(model.requests.length).toBeGreaterThan(2)
    expect(model.requests.map(({ effort }) => effort)).toEqual(model.requests.map(() => 'low'))
  })

  test('goes on with fewer old results, and later from a summary', async () => {
    const model = summarizer(
      reads('a', 1_000),
      reads('b', 3_000),
      reads('c', 7_500),
      reads('d', 5_600, 'Edit'),
      reads('e', 7_600, 'Edit'),
      message(text('They changed a file.')),
      message(text('All done.')),
    )
    const { options, logged } = compacting(model)
    const played = await play(model, options)
    expect(played.result).toMatchObject({ result: 'All done.', terminal_reason: 'completed' })
    expect(types(played.records).filter((type) => type.startsWith('system'))).toEqual([
      'system/informational',
      'system/status',
      'system/compact_boundary',
      'system/status',
    ])
    expect(played.records.find((record) => 'compact_metadata' in record)).toMatchObject({
      compact_metadata: { trigger: 'auto', pre_tokens: expect.any(Number) },
    })
    expect(logged.length).toBe(2)
    expect(model.requests[3]?.messages).toEqual(logged[0])
    expect(model.requests.at(-1)?.messages).toEqual(logged[1])
    expect([played.faults, played.listeners]).toEqual([[], 0])
    expect(played.end.added).toEqual(played.end.messages)
    expect(played.result.usage.input_tokens).toBe(1_000 + 3_000 + 7_500 + 5_600 + 7_600 + 10 + 10)
  })

  test('ends with the error of the service where a hook blocks the compaction that would help', async () => {
    const model = summarizer(reads('a', 1_000, 'Edit'), [fails('prompt_too_long', { status: 400 })])
    const { options, logged } = compacting(model, {
      onPreCompact: async () => ({ blockingError: 'not now' }),
    })
    const played = await play(model, options)
    expect(played.result).toMatchObject({
      terminal_reason: 'prompt_too_long',
      api_error_status: 400,
      is_error: true,
    })
    expect(played.records).toContainEqual(
      expect.objectContaining({ subtype: 'informational', content: expect.stringContaining('not now') }),
    )
    expect(logged).toEqual([])
  })

  test('recovers from a refusal by a summary', async () => {
    const model = summarizer(
      reads('a', 1_000, 'Edit'),
      reads('b', 3_000, 'Edit'),
      [fails('prompt_too_long')],
      message(text('They edited.')),
      message(text('All done.')),
    )
    const { options } = compacting(model)
    const played = await play(model, options)
    expect(played.result).toMatchObject({ result: 'All done.', is_error: false })
    expect(model.requests.at(-1)?.messages.length).toBe(1)
  })

  test('is as it was after an abort during the summary', async () => {
    const controller = new AbortController()
    const wait: Step = {
      type: 'wait',
      until: () => new Promise(() => setImmediate(() => controller.abort())),
    }
    const model = summarizer(reads('a', 1_000, 'Edit'), reads('b', 8_000, 'Edit'), [wait])
    const { options, logged } = compacting(model)
    const played = await play(model, { ...options, controller })
    expect([played.end.reason, logged, played.listeners]).toEqual(['aborted_streaming', [], 0])
    expect(played.end.messages.length).toBe(5)
    expect(repairHistory(played.log).messages).toEqual(played.end.messages)
  })

  test('leaves nothing when its reader goes while a summary is made', async () => {
    const model = summarizer(reads('a', 1_000, 'Edit'), reads('b', 8_000, 'Edit'))
    const { options, logged } = compacting(model)
    const { query, controller, log } = setUp(model, options)
    for await (const record of query) if (record.type === 'system' && record.subtype === 'status') break
    expect([model.requests.length, logged]).toEqual([2, []])
    expect(checkHistory(log)).toEqual([])
    expect(EventEmitter.getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  test('is not compacted by itself where that is switched off, and then meets the end of the window', async () => {
    const model = summarizer(reads('a', 9_500, 'Edit'), [fails('prompt_too_long')])
    const { options } = compacting(model, { isAutoDisabled: true })
    const played = await play(model, options)
    expect([played.result.terminal_reason, model.requests.length]).toEqual(['prompt_too_long', 2])
  })
})
