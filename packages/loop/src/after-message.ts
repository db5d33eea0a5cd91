import type { SessionRecord } from '@x/contract'
import { isLostWhole, type Reply } from './ask-model.ts'
import type { Attempt } from './attempt.ts'
import { type Ending, endings } from './ending.ts'
import { noteRecord, syntheticRecord } from './records.ts'
import type { QueryState } from './state.ts'
import { brokenMessageText, cutCallText } from './texts.ts'

/** What a turn came to: the query ends, or the model has finished and may end, or it goes on. */
export type TurnOutcome =
  | { readonly type: 'end'; readonly ending: Ending }
  | { readonly type: 'finished'; readonly attempt: Attempt }
  | { readonly type: 'continue' }

/** A message that stays. */
export type KeptMessage = Extract<Reply, { type: 'message' }>

/** Calls lost at the output limit end the query after so many messages in a row. */
const maxCutMessages = 3
/** Pauses end the query after so many in a row. */
const maxPauses = 50

/** Decides how it goes on after a message and its results: a call that was put off and an abort first, then hooks and limits, then why the model stopped. */
export function* afterMessage(state: QueryState, reply: KeptMessage): Generator<SessionRecord, TurnOutcome> {
  const { attempt, broken } = reply
  const end = afterBreak(state, reply)
  if (end !== undefined) return end
  if (broken !== undefined) yield noteRecord(state, brokenMessageText(broken.code))
  countRows(state, attempt)
  const ending = afterLimit(state, attempt) ?? afterStop(state, reply)
  if (ending !== undefined) return ending
  if (isLostWhole(attempt)) yield* tellOfLostCall(state)
  if (attempt.stopReason === 'model_context_window_exceeded') state.compactReason = 'cut-off'
  return hasCalls(attempt) || attempt.hasLostCall || isPaused(attempt)
    ? { type: 'continue' }
    : { type: 'finished', attempt }
}

function afterBreak(state: QueryState, { isAborted, attempt }: KeptMessage): TurnOutcome | undefined {
  if (attempt.deferral !== undefined) return endings.deferred(state, attempt.deferral)
  if (isAborted) return endings.aborted(state, 'streaming')
  return state.signal.aborted && hasCalls(attempt) ? endings.aborted(state, 'tools') : undefined
}

function countRows(state: QueryState, attempt: Attempt): void {
  if (hasCalls(attempt)) state.stopBlocks = 0
  state.cutMessages = attempt.hasLostCall ? state.cutMessages + 1 : 0
  state.pauses = isPaused(attempt) ? state.pauses + 1 : 0
}

function afterLimit(state: QueryState, attempt: Attempt): TurnOutcome | undefined {
  const stop = attempt.results.find((event) => event.stop !== undefined)?.stop
  if (stop !== undefined) return endings.hookStopped(state, stop.reason)
  const { maxTurns = Infinity } = state.options.limits ?? {}
  if (hasCalls(attempt) && state.toolTurns > maxTurns) return endings.maxTurns(state)
  if (state.cutMessages > maxCutMessages) return endings.outputLimit(state)
  return state.pauses > maxPauses ? endings.pausedTooOften(state) : undefined
}

function afterStop(state: QueryState, { attempt, broken }: KeptMessage): TurnOutcome | undefined {
  if (broken !== undefined && !hasCalls(attempt)) return endings.brokenMessage(state, broken)
  const isRefused = attempt.stopReason === 'refusal' && state.nextModel === 0
  return isRefused ? endings.refused(state, attempt) : undefined
}

function hasCalls({ results }: Attempt): boolean {
  return results.length > 0
}

/** The service will go on by itself, with the same content sent back; never while a call is open. */
function isPaused(attempt: Attempt): boolean {
  return attempt.stopReason === 'pause_turn' && !hasCalls(attempt)
}

function* tellOfLostCall(state: QueryState): Generator<SessionRecord> {
  state.history.addUser(cutCallText)
  yield syntheticRecord(state, { role: 'user', content: cutCallText })
}
