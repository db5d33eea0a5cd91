import {
  type ContentBlock,
  checkHistory,
  isContinuation,
  type Message,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  repairHistory,
  type SessionRecord,
  type Tool,
} from '@x/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Compaction, createCompactor, createToolDefinitions } from '../src/index.ts'
import { setUp, tool } from './kit.ts'
import { blockSteps, call, text, usage } from './scripted-model.ts'

const tokens = 6_000

/** What the model does in one turn: thinks, speaks, calls; and which tools there are then. */
const turn = fc.record({
  isThinking: fc.boolean(),
  said: fc.integer({ min: 0, max: 400 }),
  calls: fc.array(
    fc.record({
      tool: fc.constantFrom('Read', 'Read', 'Read', 'Edit', 'Late'),
      size: fc.constantFrom(10, 500, 3_000, 4_000, 4_000, 12_000, 40_000),
    }),
    { maxLength: 3 },
  ),
  hasLate: fc.constantFrom(false, false, false, true),
  hasEdit: fc.constantFrom(true, true, true, true, true, false),
  abort: fc.constantFrom(false, false, false, false, false, true),
})

type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never

const session = fc.record({
  queries: fc.array(
    fc.record({
      turns: fc.array(turn, { minLength: 1, maxLength: 8 }),
      prompt: fc.integer({ min: 1, max: 6_000 }),
      model: fc.constantFrom('main', 'main', 'other'),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  summaries: fc.array(fc.constantFrom('good', 'good', 'good', 'long', 'call', 'down'), { maxLength: 6 }),
})

/** One request, and what happened since the one before. */
interface Sent {
  readonly request: ModelRequest
  readonly isSummary: boolean
  /** The history was compacted since the request before. */
  readonly compacted: readonly Message[] | undefined
}

test('a request begins with the bytes of the one before, but after a compaction, a change of the model or of the tools', async () => {
  const causes = { trim: 0, summary: 0, none: 0, model: 0, tools: 0, shortened: 0 }
  await fc.assert(
    fc.asyncProperty(session, async ({ queries, summaries }) => {
      const log: Message[] = []
      const sent: Sent[] = []
      const answers = summaries.values()
      let current = queries[0]?.turns ?? []
      let position = 0
      let compacted: readonly Message[] | undefined
      let controller = new AbortController()

      const model = {
        contextWindow: () => tokens,
        async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
          const isSummary = JSON.stringify(request.messages.at(-1)).includes('do not call any tool')
          sent.push({
            request: structuredClone({ ...request, signal: undefined }) as never,
            isSummary,
            compacted,
          })
          if (!isSummary) expect(repairHistory(log).messages).toEqual(request.messages)
          if (!isSummary) compacted = undefined
          const size = weigh(request)
          if (size > tokens)
            throw new ModelError('too long', { code: 'prompt_too_long', status: 400, isRetryable: false })
          await Promise.resolve()
          if (isSummary) yield* toSummary(answers.next().value ?? 'good', size)
          else
            yield* toAnswer(current[position++], {
              size,
              number: sent.length,
              abort: () => controller.abort(),
            })
        },
      }
      const definitions = createToolDefinitions()
      const compactor = createCompactor({
        model,
        retry: { maxRetries: 0 },
        keepTurns: 2,
        async log({ kind }: Compaction, messages) {
          causes[kind] += 1
          compacted = messages
          log.splice(0, log.length, ...messages)
        },
        attachments: async () => [text('The plan')],
      })
      let messages: readonly Message[] = []
      for (const { turns, prompt, model: modelName } of queries) {
        current = turns
        position = 0
        controller = new AbortController()
        const { query } = setUp(
          { ...model, requests: [] },
          {
            messages,
            modelName,
            controller,
            system: [{ type: 'text', text: 'Be brief' }],
            prompt: [{ role: 'user', content: 'y'.repeat(prompt) }],
            history: { append: async (added) => void log.push(...added) },
            compact: compactor,
            tools: () => toTools(turns[position]),
            toolDefinitions: definitions,
          },
        )
        const records: SessionRecord[] = []
        let step = await query.next()
        for (; step.done !== true; step = await query.next()) records.push(step.value)
        expect(records.at(-1)?.type).toBe('result')
        expectStatuses(records)
        ;({ messages } = step.value)
        expect(checkHistory(messages)).toEqual([])
        expect(repairHistory(log).messages).toEqual(messages)
      }
      for (const [index, next] of sent.entries()) {
        expect(checkHistory(next.request.messages)).toEqual([])
        causes[expectPrefix(sent.slice(0, index), next)] += 1
      }
    }),
    { numRuns: 300 },
  )
  for (const count of Object.values(causes)) expect(count).toBeGreaterThan(0)
})

type Cause = 'none' | 'model' | 'tools' | 'shortened'

/** Compares a request with the last one of the conversation. */
function expectPrefix(before: readonly Sent[], next: Sent): Cause {
  const last = before.findLast(({ isSummary }) => !isSummary)
  if (last === undefined) return 'none'
  expect(JSON.stringify(next.request.system)).toBe(JSON.stringify(last.request.system))
  const cause = next.isSummary ? expectSummaryRequest(before, last, next) : expectRequest(last, next)
  if (haveToolsMoved(before, last.request, next.request)) return 'tools'
  expectBytes(last.request.tools, next.request.tools)
  return cause
}

function expectRequest(last: Sent, { request, compacted }: Sent): Cause {
  const start = compacted ?? last.request.messages
  expect(isExtension(start, request.messages)).toBe(true)
  if (isContinuation(start, request.messages)) expectBytes(start, request.messages)
  return last.request.model === request.model ? 'none' : 'model'
}

/** A summary is asked for behind the history as it is, unless that is known to be too long. */
function expectSummaryRequest(before: readonly Sent[], last: Sent, { request, compacted }: Sent): Cause {
  const start = (compacted ?? last.request.messages).slice(0, -1)
  if (isExtension(start, request.messages)) return 'none'
  expect(before.at(-1)?.isSummary === true || weigh(last.request) > tokens).toBe(true)
  return 'shortened'
}

/** One is gone, or is back at its old place; a new one comes behind the others. */
function haveToolsMoved(before: readonly Sent[], previous: ModelRequest, { tools }: ModelRequest): boolean {
  const last = new Set(previous.tools.map(({ name }) => name))
  const known = new Set(before.flatMap(({ request }) => request.tools.map(({ name }) => name)))
  const isBack = tools.some(({ name }) => known.has(name) && !last.has(name))
  return isBack || tools.filter(({ name }) => last.has(name)).length < last.size
}

function expectBytes(start: readonly unknown[], next: readonly unknown[]): void {
  const bytes = JSON.stringify(start).slice(0, -1)
  expect(JSON.stringify(next).slice(0, bytes.length)).toBe(bytes)
}

/** A continuation, but for a last message to which the user added. */
function isExtension(previous: readonly Message[], next: readonly Message[]): boolean {
  if (isContinuation(previous, next)) return true
  const [last, longer] = [previous.at(-1), next[previous.length - 1]]
  if (last === undefined || longer === undefined || !isContinuation(previous.slice(0, -1), next)) return false
  return isContinuation([last], [{ ...longer, content: longer.content.slice(0, last.content.length) }])
}

/** Between two compactions there is a message of the model; each that begins ends. */
function expectStatuses(records: readonly SessionRecord[]): void {
  const marks = records.flatMap((record): string[] => {
    if (record.type === 'assistant' && record.message.model !== '<synthetic>') return ['assistant']
    if (record.type !== 'system') return []
    if (record.subtype === 'status') return [String(record['status'])]
    return record.subtype === 'compact_boundary' ? ['boundary'] : []
  })
  expect(marks.filter((mark) => mark === 'compacting').length).toBe(
    marks.filter((mark) => mark === 'null').length,
  )
  const order = marks.filter((mark) => mark === 'assistant' || mark === 'boundary').join(' ')
  expect(order).not.toContain('boundary boundary')
}

const block = (size: number): string => 'x'.repeat(size)

function* toSummary(kind: string, size: number): Generator<ModelEvent> {
  yield { type: 'message-start', id: 's', model: 'main', usage: usage(size, 0) }
  if (kind === 'down') throw new ModelError('down', { code: 'server_error', status: 500, isRetryable: true })
  yield* blockSteps(
    kind === 'call' ? call('z', 'Read') : text(kind === 'long' ? block(30_000) : 'They worked.'),
    0,
  )
  yield { type: 'message-end', stopReason: kind === 'call' ? 'tool_use' : 'end_turn', usage: usage(size, 10) }
}

function* toAnswer(
  plan: Turn = { isThinking: false, said: 4, calls: [], hasLate: false, hasEdit: true, abort: false },
  { size, number, abort }: { readonly size: number; readonly number: number; readonly abort: () => void },
): Generator<ModelEvent> {
  const thought: ContentBlock = { type: 'thinking', thinking: 'Hm', signature: `s${number}` }
  const blocks: ContentBlock[] = [
    ...(plan.isThinking ? [thought] : []),
    ...(plan.said > 0 ? [text(block(plan.said))] : []),
    ...plan.calls.map((each, index) => call(`c${number}_${index}`, each.tool, { size: each.size })),
  ]
  yield { type: 'message-start', id: `m${number}`, model: 'main', usage: usage(size, 0) }
  for (const [index, each] of blocks.entries()) yield* blockSteps(each, index)
  if (plan.abort) abort()
  const stopReason = plan.calls.length > 0 ? 'tool_use' : 'end_turn'
  yield { type: 'message-end', stopReason, usage: usage(size, JSON.stringify(blocks).length / 4) }
}

const run: Tool['call'] = async (input) => ({ data: block((input as { size: number }).size) })
const [read, edit, late] = [
  tool('Read', { run }),
  tool('Edit', { run, isReadOnly: false }),
  tool('Late', { run }),
]

function toTools(plan: { readonly hasLate: boolean; readonly hasEdit: boolean } | undefined): Tool[] {
  return [...(plan?.hasLate === true ? [late] : []), read, ...(plan?.hasEdit === false ? [] : [edit])]
}

/** Tokens of a request, as the model counts them. */
function weigh({ messages, system, tools }: ModelRequest): number {
  return Math.ceil(JSON.stringify([messages, system, tools]).length / 4)
}
