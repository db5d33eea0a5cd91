import { expect, test } from 'vitest'
import type { ExecutorOptions, ToolResultEvent } from '../src/index.ts'
import { makeTool, stage, textOf, use } from './harness.ts'

async function answerOf(
  parts: Parameters<typeof makeTool>[1],
  options: Partial<ExecutorOptions> = {},
): Promise<ToolResultEvent> {
  const { add, play } = stage(() => [makeTool('Grep', parts)], options)
  add(use('Grep', {}, 'toolu_1'))
  const [answer] = await play()
  if (answer === undefined) throw new Error('no answer')
  return answer
}

function store(kept: Map<string, string>): NonNullable<ExecutorOptions['storeResult']> {
  return async (toolUseId, text) => {
    kept.set(toolUseId, text)
    return { path: `/results/${toolUseId}.txt` }
  }
}

test('a result over the limit is kept elsewhere; the model gets size, path and the first 2,000 characters', async () => {
  const kept = new Map<string, string>()
  const text = 'ab'.repeat(5_000)
  const answer = await answerOf(
    { call: () => ({ data: text }), maxResultSizeChars: 3_000 },
    { storeResult: store(kept) },
  )
  expect(kept.get('toolu_1')).toBe(text)
  expect(textOf(answer)).toBe(
    [
      '<persisted-output>',
      'The output is 10000 characters long, too long to show. All of it is in: /results/toolu_1.txt',
      '',
      'The first 2000 characters:',
      'ab'.repeat(1_000),
      '</persisted-output>',
    ].join('\n'),
  )
  expect(answer.output).toBe(text)
})

test.each([
  ['at its limit', { maxResultSizeChars: 100 }, 100, false],
  ['one over it', { maxResultSizeChars: 100 }, 101, true],
  ['at the default limit', {}, 100_000, false],
  ['over the default limit', {}, 100_001, true],
  ['without a limit', { maxResultSizeChars: Infinity }, 200_000, false],
  ['with a senseless limit, over the default', { maxResultSizeChars: -1 }, 100_001, true],
])('a result %s', async (...row) => {
  const [, parts, length, isKept] = row
  const kept = new Map<string, string>()
  await answerOf({ ...parts, call: () => ({ data: 'x'.repeat(length) }) }, { storeResult: store(kept) })
  expect(kept.size).toBe(isKept ? 1 : 0)
})

test.each<[string, Partial<ExecutorOptions>]>([
  ['nobody keeps it', {}],
  ['keeping it fails', { storeResult: async () => Promise.reject(new Error('disk full')) }],
  [
    'keeping it throws',
    {
      storeResult: () => {
        throw new Error('disk full')
      },
    },
  ],
  ['keeping it gives no path', { storeResult: async () => ({}) as never }],
])('a result over the limit is cut with a note where %s', async (_title, options) => {
  const answer = await answerOf({ call: () => ({ data: 'x'.repeat(500) }), maxResultSizeChars: 100 }, options)
  expect(textOf(answer)).toBe(`${'x'.repeat(100)}\n\n[Cut here: 400 of 500 characters left out]`)
})

test('images are never kept that way; they stay beside the preview', async () => {
  const image = {
    type: 'image' as const,
    source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'A'.repeat(500_000) },
  }
  const mapResult = (text: unknown, id: string) => ({
    type: 'tool_result' as const,
    tool_use_id: id,
    content: [{ type: 'text' as const, text: String(text) }, image],
  })
  const kept = new Map<string, string>()
  const small = await answerOf({ call: () => ({ data: 'seen' }), mapResult }, { storeResult: store(kept) })
  expect(small.result.content).toEqual([{ type: 'text', text: 'seen' }, image])
  expect(kept.size).toBe(0)
  const large = await answerOf(
    { call: () => ({ data: 'x'.repeat(100_001) }), mapResult },
    { storeResult: store(kept) },
  )
  expect(large.result.content).toMatchObject([{ type: 'text' }, image])
  expect(kept.size).toBe(1)
})

test('a failure keeps its beginning and its end and goes nowhere else', async () => {
  const kept = new Map<string, string>()
  const text = `Exit code 1\n${'x'.repeat(60_000)}\nthe last line`
  const thrown = await answerOf({ call: () => Promise.reject(new Error(text)) }, { storeResult: store(kept) })
  expect(textOf(thrown)).toMatch(
    /^Exit code 1\nx+\n\n\[\d+ of 60026 characters left out here\]\n\nx+\nthe last line$/,
  )
  expect(textOf(thrown).length).toBeLessThan(10_100)
  const reported = await answerOf(
    { call: () => ({ data: text, isError: true }), maxResultSizeChars: 30_000 },
    { storeResult: store(kept) },
  )
  expect(textOf(reported).length).toBeGreaterThan(29_000)
  expect(textOf(reported)).toMatch(/the last line$/)
  expect(kept.size).toBe(0)
})

test('hooks of a failure are told its beginning and its end', async () => {
  const errors: string[] = []
  const silent = { context: [], notices: [] }
  const hooks = {
    preToolUse: async () => silent,
    postToolUse: async () => silent,
    postToolUseFailure: async ({ error }: { readonly error: string }) => (errors.push(error), silent),
  }
  const text = `Exit code 1\n${'x'.repeat(1_000_000)}\nthe last line`
  await answerOf({ call: () => Promise.reject(new Error(text)) }, { hooks })
  expect(errors[0]).toMatch(
    /^Exit code 1\nx+\n\.\.\. \[970026 characters truncated\] \.\.\.\nx+\nthe last line$/,
  )
  expect(errors[0]?.length).toBeLessThan(30_100)
})

// Every length around a limit, so that the cut falls into the middle of a character at least once.
const lengths = [0, 1, 2, 49, 50, 51, 999, 1_000, 1_001, 4_999, 5_000, 5_001, 50_001]

test.each(lengths)('no half character leaves: %i emoji', async (count) => {
  const text = `${'x'.repeat(count % 2)}${'😀'.repeat(count)}\ud83d`
  const answers = [
    await answerOf({ call: () => Promise.reject(new Error(text)) }),
    await answerOf({ call: () => ({ data: text }), maxResultSizeChars: 99 }),
    await answerOf(
      { call: () => ({ data: text }), maxResultSizeChars: 99 },
      { storeResult: store(new Map()) },
    ),
    await answerOf({ call: () => ({ data: text, isError: true }), maxResultSizeChars: 101 }),
    await answerOf({ validateInput: async () => ({ ok: false, message: text }) }),
    await answerOf({ call: () => ({ data: 'x', newMessages: [{ role: 'user', content: text }] }) }),
    await answerOf(
      {},
      { authorize: async () => ({ behavior: 'deny', message: text, reason: { type: 'rule', detail: '' } }) },
    ),
    await answerOf({
      mapResult: (_output, id) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: [{ type: 'text', text }],
      }),
    }),
  ]
  for (const { result, attached, denial } of answers) {
    for (const leaf of leaves([result, attached, denial?.message])) expect(leaf.isWellFormed()).toBe(true)
  }
})

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
}
