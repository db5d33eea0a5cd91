import { type ContentBlock, checkHistory, isContinuation, type Message } from '@x/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CompactReason } from '../../src/index.ts'
import { end, fails, message, type ScriptedModel, type Step, start, text } from '../scripted-model.ts'
import {
  assistant,
  type Compacted,
  call,
  compact,
  result,
  summarizer,
  thinking,
  user,
} from './compact-kit.ts'

const image: ContentBlock = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(6_400) },
}
const words = fc.integer({ min: 1, max: 4_000 }).map((size) => 'wörd '.repeat(size / 5 + 1))

const prompt = fc.oneof(
  words.map((content): Message => ({ role: 'user', content })),
  words.map((content) => user(image, text(content))),
)

/** What one message of the model is made of: thoughts, words, calls at once; and what comes with their results. */
const step = fc.record({
  isThinking: fc.boolean(),
  isRedacted: fc.boolean(),
  said: fc.option(words, { nil: undefined }),
  calls: fc.array(
    fc.record({
      tool: fc.constantFrom('Read', 'Read', 'Bash', 'Load'),
      size: fc.integer({ min: 0, max: 9_000 }),
      hasImage: fc.boolean(),
      isBare: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  prompt,
})

const historyOf = fc
  .record({ prompt, steps: fc.array(step, { maxLength: 10 }), isOpen: fc.boolean() })
  .map(({ prompt: first, steps, isOpen }) => {
    const messages: Message[] = [first]
    for (const [index, each] of steps.entries()) messages.push(...toTurn(each, index))
    if (!isOpen && messages.at(-1)?.role === 'user' && messages.length > 1)
      messages.push(assistant(text('Done')))
    return messages
  })

function toTurn(
  each: typeof step extends fc.Arbitrary<infer Value> ? Value : never,
  index: number,
): Message[] {
  const ids = each.calls.map((_call, position) => `c${index}_${position}`)
  const said = assistant(
    ...(each.isThinking ? [thinking(String(index))] : []),
    ...(each.isRedacted ? [{ type: 'redacted_thinking', data: `d${index}` } as const] : []),
    ...(each.said === undefined ? [] : [text(each.said)]),
    ...each.calls.map(({ tool }, position) => call(ids[position] ?? '', tool)),
  )
  if (said.content.length === 0) return [assistant(text('Hm')), each.prompt]
  const results = each.calls.map(({ tool, size, hasImage, isBare }, position): ContentBlock => {
    const id = ids[position] ?? ''
    if (isBare) return { type: 'tool_result', tool_use_id: id }
    if (tool === 'Load') return result(id, [{ type: 'tool_reference', tool_name: 'Web' } as never])
    return result(id, hasImage ? [image, text('x'.repeat(size + 1))] : 'x'.repeat(size))
  })
  return [said, results.length === 0 ? each.prompt : user(...results)]
}

const answer: fc.Arbitrary<readonly Step[]> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom('They read.', 'half \ud83d', 'long '.repeat(3_000), ' ')
      .map((said) => message(text(said))),
  },
  fc.constant(message(call('z'))),
  fc
    .constantFrom('max_tokens' as const, 'pause_turn' as const)
    .map((reason) => message(text('They'), reason)),
  fc.constant([start(), end('refusal')]),
  fc.constant([start()]),
  fc
    .constantFrom(
      'overloaded' as const,
      'prompt_too_long' as const,
      'request_too_large' as const,
      'invalid_request' as const,
    )
    .map((code) => [fails(code)]),
)

const plan = fc.record({
  old: historyOf,
  answers: fc.array(answer, { maxLength: 4 }),
  reason: fc.constantFrom<CompactReason>('near-limit', 'near-limit', 'prompt-too-long', 'cut-off', 'manual'),
  keepTurns: fc.integer({ min: 0, max: 4 }),
  window: fc.constantFrom(0, 2_000, 10_000, 200_000),
  attached: fc.array(fc.constantFrom<ContentBlock>(text('Plan'), text(' '), image, text('\udc00')), {
    maxLength: 2,
  }),
  isBlocked: fc.constantFrom(false, false, false, true),
  abortAtTick: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined }),
})

type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never

test('whatever history and model are like, the result is valid and shorter, or everything stays', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(plan, async (given) => {
      const { old, keepTurns } = given
      const before = structuredClone(old)
      const { model, played } = await run(given)
      const { end: ended, messages, logged, listeners } = played
      const kind = logged[0]?.[0].kind
      seen.add(ended.type === 'shorter' ? String(kind) : ended.cause)

      expect([old, listeners]).toEqual([before, 0])
      expectRequests(given, model)
      if (ended.type === 'unchanged') {
        expect([logged, messages]).toEqual([[], old])
        return
      }
      expect(logged.map(([, each]) => each)).toEqual([messages])
      expect(checkHistory(messages)).toEqual([])
      expect(bytesOf(messages)).toBeLessThan(bytesOf(old) + rounding)
      if (kind === 'trim') await expectTrimmed(old, messages, keepTurns)
      else expectSummary(old, messages)
    }),
    { numRuns: 2_000 },
  )
  expect([...seen].sort()).toEqual(['aborted', 'blocked', 'empty', 'failed', 'summary', 'trim'])
})

async function run(given: Plan): Promise<{ readonly model: ScriptedModel; readonly played: Compacted }> {
  const controller = new AbortController()
  const model = { ...summarizer(...given.answers), contextWindow: () => given.window }
  if (given.abortAtTick !== undefined) void ticks(given.abortAtTick).then(() => controller.abort())
  const pause = async <Value>(value: Value): Promise<Value> => ticks(1).then(() => value)
  const played = await compact(given.old, model, {
    keepTurns: given.keepTurns,
    clock: { now: () => 0, setTimeout: (callback) => setImmediate(callback), clearTimeout: () => undefined },
    request: { reason: given.reason, signal: controller.signal },
    attachments: () => pause(given.attached),
    onPreCompact: () => pause(given.isBlocked ? { blockingError: 'no' } : undefined),
    onPostCompact: () => pause(undefined),
  })
  return { model, played }
}

function expectRequests({ old, reason }: Plan, { requests }: ScriptedModel): void {
  expect(checkHistory(old)).toEqual([])
  for (const { messages } of requests) expect(checkHistory(messages)).toEqual([])
  const [first] = requests
  if (reason === 'prompt-too-long' || first === undefined) return
  expect(isContinuation(old.slice(0, -1), first.messages)).toBe(true)
}

/** What an estimate in tokens may be off by, for the frames of blocks and messages. */
const rounding = 200
const bytesOf = (messages: readonly Message[]): number => Buffer.byteLength(JSON.stringify(messages))

/** All that is not a result stays the same object, each call has its result, and the last turns are untouched. */
async function expectTrimmed(
  old: readonly Message[],
  now: readonly Message[],
  keepTurns: number,
): Promise<void> {
  expect(now.length).toBe(old.length)
  const starts = old.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))
  const recent = keepTurns === 0 ? old.length : (starts.at(-keepTurns) ?? 0)
  for (const [index, message] of now.entries()) {
    if (index >= recent || message.role === 'assistant') expect(message).toBe(old[index])
    else expectOthersSame(blocksOf(old[index]), blocksOf(message))
  }
  const again = await compact(structuredClone(now), summarizer(), {
    keepTurns,
    request: { contextTokens: 1 },
  })
  expect(again.logged[0]?.[0].kind).not.toBe('trim')
}

function expectOthersSame(old: readonly ContentBlock[], now: readonly ContentBlock[]): void {
  expect(now.length).toBe(old.length)
  for (const [index, block] of now.entries()) {
    const was = old[index]
    if (block.type !== 'tool_result') expect(block).toEqual(was)
    else if (block !== was) expect({ ...block, content: '' }).toEqual({ ...was, content: '' })
  }
}

function blocksOf(message: Message | undefined): readonly ContentBlock[] {
  const { content = [] } = message ?? {}
  return typeof content === 'string' ? [text(content)] : content
}

/** What stays is the end of the old history, the same objects, whole turns; what nobody answered is still there. */
function expectSummary(old: readonly Message[], [summary, ...recent]: readonly Message[]): void {
  const kept = old.slice(old.length - recent.length)
  expect(recent.every((message, index) => message === kept[index])).toBe(true)
  expect(recent[0]?.role ?? 'assistant').toBe('assistant')
  const last = old.at(-1)
  const unanswered = blocksOf(last)
  if (last?.role !== 'user' || recent.length > 0) return
  if (unanswered.some(({ type }) => type === 'tool_result')) return
  expect(blocksOf(summary).slice(-unanswered.length)).toEqual(unanswered)
}

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await new Promise((resolve) => setImmediate(resolve))
}
