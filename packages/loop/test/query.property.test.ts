import { EventEmitter } from 'node:events'
import { AbortReason } from '@x/abort'
import {
  type AssistantRecord,
  type ContentBlock,
  checkHistory,
  isContinuation,
  type Message,
  type ModelErrorCode,
  repairHistory,
  type SessionRecord,
  type StopReason,
} from '@x/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { setUp, tool } from './kit.ts'
import {
  blockSteps,
  call,
  cut,
  end,
  fails,
  type ScriptedModel,
  type Step,
  scriptedModel,
  start,
} from './scripted-model.ts'

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking' }
  | {
      readonly kind: 'call'
      readonly tool: string
      readonly ticks: number
      readonly isBroken: boolean
      readonly id: string
    }
  | { readonly kind: 'wait'; readonly ticks: number }

type Finish =
  | { readonly kind: 'stop'; readonly reason: StopReason }
  | { readonly kind: 'fail'; readonly code: ModelErrorCode; readonly cut: boolean }
  | { readonly kind: 'cut'; readonly reason: StopReason }

interface ScriptedMessage {
  readonly parts: readonly Part[]
  readonly finish: Finish
}

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: fc.constantFrom('', ' ', 'Hello', 'half \ud83d') }),
  fc.constant({ kind: 'thinking' as const }),
  fc.record({ kind: fc.constant('wait' as const), ticks: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    kind: fc.constant('call' as const),
    tool: fc.constantFrom('Read', 'Edit', 'Fail', 'Deaf', 'Nope'),
    ticks: fc.integer({ min: 0, max: 4 }),
    isBroken: fc.constantFrom(false, false, false, true),
    id: fc.constantFrom('own', 'own', 'own', 'x', ''),
  }),
)

const finish: fc.Arbitrary<Finish> = fc.oneof(
  fc.record({
    kind: fc.constant('stop' as const),
    reason: fc.constantFrom<StopReason>(
      'end_turn',
      'tool_use',
      'tool_use',
      'max_tokens',
      'pause_turn',
      'refusal',
      'model_context_window_exceeded',
    ),
  }),
  fc.record({
    kind: fc.constant('fail' as const),
    code: fc.constantFrom<ModelErrorCode>(
      'overloaded',
      'overloaded',
      'overloaded',
      'connection_lost',
      'stalled',
      'invalid_request',
      'prompt_too_long',
    ),
    cut: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('cut' as const),
    reason: fc.constantFrom<StopReason>('max_tokens', 'refusal'),
  }),
)

interface Entered {
  readonly id: string
  readonly key: string
  readonly hasEffects: boolean
}

const scenario = fc.record({
  messages: fc.array(fc.record({ parts: fc.array(part, { maxLength: 5 }), finish }), { maxLength: 5 }),
  engine: fc.constantFrom('streaming' as const, 'batch' as const),
  fallbackModels: fc.subarray(['second', 'third']),
  maxTurns: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  abortAtTick: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
  leaveAtRecord: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined, freq: 8 }),
  partial: fc.boolean(),
  waiting: fc.boolean(),
})

test('whatever model, tools and user do, the history stays valid and logged, and nothing runs twice or is left', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (plan) => {
      const entered: Entered[] = []
      const model = scriptedModel(...plan.messages.map((message, index) => toSteps(message, index)))
      const { query, controller, log } = setUp(model, {
        engine: plan.engine,
        fallbackModels: plan.fallbackModels,
        limits: plan.maxTurns === undefined ? {} : { maxTurns: plan.maxTurns },
        retry: { maxRetries: 2 },
        includePartialMessages: plan.partial,
        tools: () => tools(entered),
        pendingMessages: () => (plan.waiting ? [{ role: 'user', content: 'Hurry' }] : []),
      })
      if (plan.abortAtTick !== undefined) {
        void ticks(plan.abortAtTick).then(() => controller.abort(new AbortReason('user-cancel')))
      }
      const records: SessionRecord[] = []
      let step = await query.next()
      while (step.done !== true) {
        records.push(step.value)
        const leaves = records.length === plan.leaveAtRecord
        step = leaves ? await query.return(undefined as never) : await query.next()
      }
      await (step.value?.settled ?? ticks(20))

      const keys = entered.map((each) => each.key)
      expect(new Set(keys).size).toBe(keys.length)
      const mended = repairHistory(log).messages
      for (const { id, hasEffects } of entered) if (hasEffects) expect(idsOf(mended)).toContain(id)
      if (step.value !== undefined) {
        expect(checkHistory(step.value.messages)).toEqual([])
        expect(mended).toEqual(step.value.messages)
        expect(withoutIds(repairHistory(fromRecords(records) as Message[]).messages)).toEqual(
          withoutIds(mended),
        )
        expect(records.filter((record) => record.type === 'result')).toEqual([records.at(-1)])
      }
      expectRequests(model, mended)
      expectEnds(records, step.value === undefined)
      expect(EventEmitter.getEventListeners(controller.signal, 'abort')).toEqual([])
    }),
    { numRuns: 2_000 },
  )
})

interface Known {
  readonly role: 'user' | 'assistant'
  readonly id?: string | undefined
  readonly content: ContentBlock[]
}

/** The conversation as somebody knows it who saw the records alone: a withdrawn message takes along what came after it. */
function fromRecords(records: readonly SessionRecord[]): readonly Known[] {
  const messages: Known[] = [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }]
  for (const record of records) {
    if (record.type === 'system' && record.subtype === 'message_withdrawn') {
      const index = messages.findLastIndex(({ id }) => id !== undefined && id === record['message_id'])
      if (index !== -1) messages.splice(index)
    }
    if (record.type === 'user') messages.push({ role: 'user', content: toBlocks(record.message.content) })
    if (record.type === 'assistant') addBlocks(messages, record.message)
  }
  return messages
}

function addBlocks(messages: Known[], { id, content, model }: AssistantRecord['message']): void {
  if (model === '<synthetic>') return
  const known = messages.findLast((message) => message.id === id)
  if (known === undefined) messages.push({ role: 'assistant', id, content: [...toBlocks(content)] })
  else known.content.push(...toBlocks(content))
}

function toBlocks(content: Message['content']): ContentBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function withoutIds(messages: readonly Message[]): unknown[] {
  return messages.map(({ role, content }) => ({ role, content }))
}

/** Each request is valid, begins with the one before, and is what the log says. */
function expectRequests({ requests }: ScriptedModel, mended: readonly Message[]): void {
  for (const [index, { messages }] of requests.entries()) {
    expect(checkHistory(messages)).toEqual([])
    expect(isExtension(messages, requests[index + 1]?.messages ?? mended)).toBe(true)
  }
}

/** A continuation, but for a last message that went on: a pause, or the user once more. */
function isExtension(previous: readonly Message[], next: readonly Message[]): boolean {
  if (isContinuation(previous, next)) return true
  const [last, longer] = [previous.at(-1), next[previous.length - 1]]
  if (last === undefined || longer === undefined || !isContinuation(previous.slice(0, -1), next)) return false
  const begun = { ...longer, content: longer.content.slice(0, last.content.length) } as Message
  return isContinuation([last], [begun])
}

/** What starts also ends. */
function expectEnds(records: readonly SessionRecord[], isLeft: boolean): void {
  if (isLeft) return
  const progress = records.filter((record) => record.type === 'tool_progress')
  const phases = Map.groupBy(progress, (record) => record.tool_use_id)
  for (const each of phases.values()) {
    expect(each.filter((record) => record.phase === 'start').length).toBe(
      each.filter((record) => record.phase === 'end').length,
    )
  }
}

function toSteps({ parts, finish: last }: ScriptedMessage, number: number): Step[] {
  const steps: Step[] = [start(`scripted_${number}`)]
  for (const [index, each] of parts.entries()) steps.push(...partSteps(each, number, index))
  if (last.kind === 'cut' || (last.kind === 'fail' && last.cut)) steps.push(...cut('tool_use', parts.length))
  if (last.kind === 'fail') steps.push(fails(last.code))
  else steps.push(end(last.reason))
  return steps
}

function partSteps(each: Part, number: number, index: number): Step[] {
  if (each.kind === 'wait') return [{ type: 'wait', until: () => ticks(each.ticks) }]
  const block = toBlock(each, number, index)
  const steps = blockSteps(block, index)
  if (each.kind !== 'call' || !each.isBroken)
    return each.kind === 'call' ? [...steps, { type: 'wait', until: () => ticks(1) }] : steps
  return [{ type: 'block-end', index, block, inputError: 'Unexpected end of JSON' }]
}

function toBlock(each: Exclude<Part, { kind: 'wait' }>, number: number, index: number): ContentBlock {
  if (each.kind === 'text') return { type: 'text', text: each.text }
  if (each.kind === 'thinking') return { type: 'thinking', thinking: '', signature: `s${number}` }
  return call(each.id === 'own' ? `c${number}_${index}` : each.id, each.tool, {
    ticks: each.ticks,
    key: `${number}_${index}`,
  })
}

function tools(entered: Entered[]): ReturnType<typeof tool>[] {
  const make = (name: string, isReadOnly: boolean, obeys: boolean) =>
    tool(name, {
      isReadOnly,
      run: async (...[input, context, , , onProgress]) => {
        const { key, ticks: count } = input as { key: string; ticks: number }
        entered.push({ id: context.toolUseId, key, hasEffects: !isReadOnly })
        onProgress('begun')
        for (let tick = 0; tick < count; tick += 1) {
          await ticks(1)
          if (obeys) context.abortController.signal.throwIfAborted()
        }
        if (name === 'Fail') throw new Error('failed')
        return { data: 'done \ud83d' }
      },
    })
  return [
    make('Read', true, true),
    make('Edit', false, true),
    make('Fail', false, true),
    make('Deaf', true, false),
  ]
}

function idsOf(messages: readonly Message[]): string[] {
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
  )
}

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await new Promise((resolve) => setImmediate(resolve))
}
