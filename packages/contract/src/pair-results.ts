import type { LooseBlock } from './clean-block.ts'
import type { HistoryFault, HistoryFaultCode } from './history-fault.ts'
import type { Turn } from './history-turns.ts'

/** A call of the message before: the id its result names now (`key`) and the one it has to name (`id`). */
export interface PendingCall {
  readonly key: string
  readonly id: string
  readonly messageIndex: number
  readonly blockIndex: number
}

/** What pairing needs to know beside the calls and the user turn. */
export interface PairingOptions {
  /** Content of the result that stands in for a missing one. */
  readonly missingResultText: string
  /** Tells whether any call of the whole history had this id. */
  readonly isKnown: (key: string) => boolean
  readonly faults: HistoryFault[]
}

interface Placed {
  readonly block: LooseBlock
  readonly messageIndex: number
  readonly blockIndex: number
}

/** Tells whether the turn is one message that begins with exactly the results of the calls, in their order. */
export function isAnswered(turn: Turn, calls: readonly PendingCall[]): boolean {
  const [part] = turn.parts
  if (part === undefined || turn.parts.length > 1) return false
  const { results, resultsLead } = part.facts
  if (results.length !== calls.length || !resultsLead) return false
  return calls.every((call, index) => call.id === call.key && call.key === results[index]?.key)
}

/** The blocks of a user turn with exactly one result for each call first. Results pair with calls of one id by position. */
export function pairResults(
  turn: Turn,
  calls: readonly PendingCall[],
  options: PairingOptions,
): readonly LooseBlock[] {
  const placed = turn.parts.flatMap(({ facts, messageIndex }) =>
    facts.entries.map((entry): Placed => ({ ...entry, messageIndex })),
  )
  const answers = matchAnswers(placed, calls, options)
  const paired = calls.flatMap((call) => answers.get(call) ?? [])
  const kept = new Set(paired)
  const others = placed.filter(({ block }) => block.type !== 'tool_result')
  reportOrder(
    placed.filter((entry) => entry.block.type !== 'tool_result' || kept.has(entry)),
    [...paired, ...others],
    options.faults,
  )
  const results = calls.map((call) => toResult(call, answers.get(call)?.block, options))
  return [...results, ...others.map((entry) => entry.block)]
}

function matchAnswers(
  placed: readonly Placed[],
  calls: readonly PendingCall[],
  { isKnown, faults }: PairingOptions,
): ReadonlyMap<PendingCall, Placed> {
  const waiting = Map.groupBy(calls, (call) => call.key)
  const answers = new Map<PendingCall, Placed>()
  for (const entry of placed) {
    if (entry.block.type !== 'tool_result') continue
    const key = String(entry.block['tool_use_id'])
    const queue = waiting.get(key)
    const call = queue?.shift()
    if (call !== undefined) answers.set(call, entry)
    else if (queue !== undefined) faults.push(faultAt('duplicate-result', entry))
    else faults.push(faultAt(isKnown(key) ? 'misplaced-result' : 'foreign-result', entry))
  }
  return answers
}

function reportOrder(actual: readonly Placed[], right: readonly Placed[], faults: HistoryFault[]): void {
  for (const [index, entry] of actual.entries()) {
    if (entry !== right[index] && entry.block.type === 'tool_result') {
      faults.push(faultAt('misplaced-result', entry))
    }
  }
}

function toResult(
  call: PendingCall,
  answer: LooseBlock | undefined,
  { missingResultText, faults }: PairingOptions,
): LooseBlock {
  if (answer !== undefined) return call.id === call.key ? answer : { ...answer, tool_use_id: call.id }
  faults.push(faultAt('missing-result', call))
  return { type: 'tool_result', tool_use_id: call.id, content: missingResultText, is_error: true }
}

function faultAt(
  code: HistoryFaultCode,
  { messageIndex, blockIndex }: { readonly messageIndex: number; readonly blockIndex: number },
): HistoryFault {
  return { code, messageIndex, blockIndex }
}
