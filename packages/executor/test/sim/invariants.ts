import {
  checkHistory,
  type Message,
  repairHistory,
  type ToolResultBlock,
  type ToolUseBlock,
} from '@x/contract'
import { type CallFacts, callFacts } from './call-facts.ts'
import { checkCancellation } from './cancellation.ts'
import type { Trace, TraceEvent } from './trace.ts'

/** One broken promise. */
export interface Violation {
  readonly rule: string
  readonly detail: string
}

/** Holds a trace against the invariants of the executor; an empty list means that all of them hold. */
export function checkTrace(trace: Trace): readonly Violation[] {
  const violations: Violation[] = []
  const report = (rule: string, detail: string): void => void violations.push({ rule, detail })
  const check: Check = { trace, calls: callFacts(trace), report }
  for (const rule of [once, ordered, apart, capped, silentAfterAnswer, answeredAtOnce, checkCancellation])
    rule(check)
  for (const rule of [queryAborts, contexts, saysThatItRan, live, stuck, valid, bounded, effects]) rule(check)
  return violations
}

/** What every rule looks at. */
export interface Check {
  readonly trace: Trace
  readonly calls: readonly CallFacts[]
  readonly report: (rule: string, detail: string) => void
}

/** V1 */
function once({ trace, calls, report }: Check): void {
  const isDiscarded = trace.events.some(({ type }) => type === 'discarded')
  for (const { call, of, arrive, begin, enter, ret, answer } of calls.filter(({ arrive }) => arrive)) {
    const counts = (['answer', 'yield', 'begin', 'enter', 'ret'] as const).map((type) => of(type).length)
    const [answers, yields, ...others] = counts
    if (answers !== 1) report('V1', `${answers} answers of ${call}`)
    if (yields !== 1 && !(yields === 0 && isDiscarded)) report('V1', `${yields} yields of ${call}`)
    if (others.some((count) => count > 1)) report('V1', `${call} ran twice`)
    const order = [arrive, begin, enter, ret].map((event) => event?.seq)
    if (!isPrefixSorted(order)) report('V1', `order of ${call}: ${order.join()}`)
    if (of('yield').some(({ seq }) => seq < (answer?.seq ?? 0))) report('V1', `${call} yielded early`)
  }
}

/** Each step comes after the one before, and none without it. */
function isPrefixSorted(order: readonly (number | undefined)[]): boolean {
  const known = order.filter((seq) => seq !== undefined)
  return isSorted(known) && order.slice(0, known.length).every((seq) => seq !== undefined)
}

/** V2, V3 */
function ordered({ trace, report }: Check): void {
  for (const [rule, type] of [
    ['V2', 'yield'],
    ['V3', 'begin'],
  ] as const) {
    const order = trace.events.flatMap((event) => (event.type === type && 'call' in event ? event.call : []))
    if (!isSorted(order)) report(rule, `${type} order ${order.join()}`)
  }
}

/** V4 */
function apart({ trace, calls, report }: Check): void {
  const entered = calls
    .flatMap((facts) => (facts.enter === undefined ? [] : [{ ...facts, enter: facts.enter }]))
    .sort((one, other) => one.enter.seq - other.enter.seq)
  for (const [index, second] of entered.entries()) {
    for (const first of entered.slice(0, index)) {
      const hasReturned = first.ret !== undefined && first.ret.seq < second.enter.seq
      const freeMs = (first.answer?.atMs ?? Infinity) + trace.world.graceMs
      const areSafe = [first, second].every(({ flagsAt, enter }) => flagsAt(enter.seq).safe)
      if (hasReturned || second.enter.atMs >= freeMs || areSafe) continue
      report('V4', `${second.call} entered beside ${first.call}`)
    }
  }
}

/** V5 */
function capped({ trace, report }: Check): void {
  const executing = new Set<number>()
  for (const event of trace.events) {
    if (event.type === 'begin') executing.add(event.call)
    if (event.type === 'answer') executing.delete(event.call)
    if (executing.size > trace.world.maxConcurrency) report('V5', `${executing.size} at once`)
  }
}

/** V6 */
function silentAfterAnswer({ trace, calls, report }: Check): void {
  const end = trace.events.findIndex(({ type }) => type === 'query-aborted' || type === 'discarded')
  for (const { call, of, answer } of calls) {
    const steps = [...of('begin'), ...of('enter'), ...of('pre'), ...of('authorize'), ...of('post')]
    for (const { seq, type } of steps) {
      if (answer !== undefined && seq > answer.seq) report('V6', `${type} of ${call} after its answer`)
      if (end >= 0 && seq > end) report('V6', `${type} of ${call} after the abort`)
    }
    if (of('late-progress').length > 0) report('V6', `progress of ${call} after its end`)
  }
}

/** V7 */
function answeredAtOnce({ trace, calls, report }: Check): void {
  for (const [seq, { type, tick }] of trace.events.entries()) {
    if (type !== 'query-aborted' && type !== 'discarded') continue
    for (const { call, arrive, answer } of calls) {
      if (arrive === undefined || arrive.seq > seq) continue
      if (answer === undefined || answer.tick > tick) report('V7', `${call} unanswered after ${type}`)
    }
  }
}

/** V10 */
function queryAborts({ trace, calls, report }: Check): void {
  const seq = trace.events.findIndex(({ type }) => type === 'query-aborted')
  const discard = trace.events.findIndex(({ type }) => type === 'discarded')
  const isDiscardedAt = (at: number): boolean => inOrder(discard, at)
  for (const event of calls.flatMap(({ of }) => of('abort-self'))) {
    const mustAbort = !isDiscardedAt(event.seq) && isUnansweredAt(calls, event)
    if (mustAbort && !inOrder(seq, event.seq + 2))
      report('V10', `${event.call} aborted itself and the query went on`)
  }
  const before = trace.events[seq - 1]
  if (before === undefined || isFromOutside(before)) return
  const isOurs = before.type === 'abort-self' || isRejection(before, trace)
  if (!isOurs) report('V10', `the query was aborted after ${JSON.stringify(before)}`)
  if (isDiscardedAt(seq)) report('V10', 'the query was aborted after the discard')
}

/** Both happened, or will have, in this order; -1 is never. */
function inOrder(first: number, second: number): boolean {
  return first >= 0 && first <= second
}

function isFromOutside(event: TraceEvent): boolean {
  return event.type === 'give-up' || (event.type === 'blow' && event.kind === 'abort')
}

function isRejection(event: TraceEvent, { world }: Trace): boolean {
  return (
    event.type === 'answer' &&
    event.cause === 'denied' &&
    world.calls[event.call]?.authorize.outcome === 'reject'
  )
}

function isUnansweredAt(calls: readonly CallFacts[], { call, seq }: { call: number; seq: number }): boolean {
  const answer = calls[call]?.answer
  return answer === undefined || answer.seq > seq
}

/** V11 */
function contexts({ trace, calls, report }: Check): void {
  // A call that is held back may become exclusive without being unsafe; the rule is checked without that.
  if (trace.world.afterMs !== undefined) return
  const modifying = calls.filter(({ ret, result, enter, flagsAt }) => {
    if (ret === undefined || enter === undefined || !ret.modifies || result === undefined) return false
    const isExclusive = [0, enter.seq].some((seq) => !flagsAt(seq).safe)
    return isExclusive && (result.cause === 'ran' || result.result.is_error !== true)
  })
  for (const { call, begin, of } of calls) {
    const cwd = modifying
      .filter(({ answer }) => begin !== undefined && answer !== undefined && answer.seq < begin.seq)
      .map((other) => `/${other.call}`)
      .join('')
    for (const event of [...of('pre'), ...of('enter')]) {
      if (event.cwd !== cwd) report('V11', `${event.type} of ${call} in ${event.cwd}, not in ${cwd}`)
    }
  }
}

/** V12 */
function saysThatItRan({ calls, report }: Check): void {
  for (const { call, ret, answer, result } of calls) {
    if (ret === undefined || answer === undefined || result === undefined) continue
    if (ret.tick >= answer.tick) continue
    const text = JSON.stringify(result.result.content)
    if (!text.includes(`ran-${call}`) && !text.includes('completed')) report('V12', `${call}: ${text}`)
  }
}

/** V13 */
function live({ trace, calls, report }: Check): void {
  const settled = trace.events.find(({ type }) => type === 'settled')
  if (!trace.events.some(({ type }) => type === 'drained')) report('V13', 'the results never end')
  if (settled === undefined) return report('V13', 'it never settles')
  const discard = trace.events.find(({ type }) => type === 'discarded')
  const last = Math.max(
    ...calls.map(({ answer }) => answer?.atMs ?? 0),
    discard?.atMs ?? 0,
    consumedAt(trace),
  )
  if (settled.atMs > last + trace.world.graceMs)
    report('V13', `settled at ${settled.atMs}, last answer at ${last}`)
}

/** V13: when the run is given up, whoever waits for an answer waits for a call that does not settle. */
function stuck({ trace, calls, report }: Check): void {
  const end = trace.events.findIndex(({ type }) => type === 'give-up')
  const open = calls.filter(({ answer }) => answer === undefined || answer.seq > end)
  const isWaitedFor = open.some(
    ({ enter, ret }) => enter !== undefined && (ret === undefined || ret.seq > end),
  )
  if (open.length > 0 && !isWaitedFor) report('V13', `${open.map(({ call }) => call).join()} wait for nobody`)
}

/** No further call is known to come from here on. */
function consumedAt({ world }: Trace): number {
  return world.calls.reduce((atMs, { gapMs }) => atMs + gapMs, 1)
}

/** V14 */
function valid({ trace, calls, report }: Check): void {
  const blocks: ToolUseBlock[] = calls.map(({ call, plan }) => ({
    type: 'tool_use',
    id: `call-${call}`,
    name: 'Known',
    input: { ...plan.flags },
  }))
  const results: ToolResultBlock[] = []
  for (const event of trace.events) {
    if (event.type !== 'yield') continue
    results.push(event.event.result)
    const { messages } = repairHistory(history(blocks, results))
    const faults = checkHistory(messages)
    if (faults.length > 0) report('V14', JSON.stringify(faults))
  }
  if (results.length !== blocks.length) return
  const { repaired } = repairHistory(history(blocks, results))
  if (repaired.length > 0) report('V14', `at the end: ${JSON.stringify(repaired)}`)
}

function history(blocks: readonly ToolUseBlock[], results: readonly ToolResultBlock[]): Message[] {
  return [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [...blocks] },
    { role: 'user', content: [...results] },
  ]
}

/** V15, V16 */
function bounded({ trace, calls, report }: Check): void {
  const steps = 6 * calls.length + 2 * trace.world.blows.length + 4
  if (trace.picks > steps) report('V15', `${trace.picks} scheduler steps for ${calls.length} calls`)
  const leftovers = new Set<number>()
  for (const [seq, event] of trace.events.entries()) {
    if (event.type === 'answer' && isLeftover(calls[event.call], seq)) leftovers.add(event.call)
    if (event.type === 'ended') leftovers.delete(event.call)
    if (event.type === 'tick' && event.timers > leftovers.size) report('V15', `${event.timers} timers`)
  }
  if (trace.listenersAfter > trace.listenersBefore)
    report('V16', `${trace.listenersAfter} listeners are left`)
}

function isLeftover(call: CallFacts | undefined, seq: number): boolean {
  return call?.begin !== undefined && call.begin.seq < seq
}

/** V18 */
function effects({ trace, calls, report }: Check): void {
  for (const [seq, event] of trace.events.entries()) {
    if (event.type !== 'blow' || event.hasEffects) continue
    const entered = calls.filter(
      ({ enter, flagsAt }) => enter !== undefined && enter.seq < seq && !flagsAt(enter.seq).readOnly,
    )
    for (const { call } of entered) report('V18', `${call} entered and is not read-only`)
  }
}

function isSorted(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value > (values[index - 1] ?? -1))
}
