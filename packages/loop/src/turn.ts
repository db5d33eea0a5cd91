import type { SessionRecord, Tool } from '@x/contract'
import { afterMessage, type KeptMessage, type TurnOutcome } from './after-message.ts'
import { askModel, joinSettled } from './ask-model.ts'
import type { Attempt } from './attempt.ts'
import { executorRecords } from './attempt-records.ts'
import { checkBudget } from './budget.ts'
import { runAfterCalls, startPostSampling } from './callbacks.ts'
import { compactAfterFailure, compactIfNeeded } from './compaction.ts'
import { endings } from './ending.ts'
import { countTokens } from './meter.ts'
import { noteRecord, syntheticRecord } from './records.ts'
import type { QueryState } from './state.ts'
import { untilAborted } from './until-aborted.ts'

/** One turn: a request, the message that answers it, the results of its calls. */
export async function* runTurn(state: QueryState): AsyncGenerator<SessionRecord, TurnOutcome> {
  const stop = yield* beginTurn(state)
  if (stop !== undefined) return stop
  const request = await state.history.commit()
  const reply = yield* askModel(state, request)
  if (reply.type === 'aborted') return endings.aborted(state, 'streaming')
  if (reply.type === 'failed') return compactAfterFailure(state, reply.error)
  return yield* endTurn(state, reply, reply.isAborted ? undefined : startPostSampling(state, reply.attempt))
}

/** Waits for the results of a message, and decides how it goes on. */
export async function* endTurn(
  state: QueryState,
  reply: KeptMessage,
  sampled?: Promise<readonly string[]>,
): AsyncGenerator<SessionRecord, TurnOutcome> {
  yield* collectResults(state, reply.attempt)
  addToHistory(state, reply.attempt)
  yield* attachedRecords(state, reply.attempt)
  for (const note of (await untilAborted(state.signal, sampled)) ?? []) yield noteRecord(state, note)
  const ending = yield* runAfterCalls(state, reply.attempt)
  return ending === undefined ? yield* afterMessage(state, reply) : { type: 'end', ending }
}

async function* beginTurn(state: QueryState): AsyncGenerator<SessionRecord, TurnOutcome | undefined> {
  if (state.signal.aborted) return endings.aborted(state, 'streaming')
  state.tools = currentTools(state)
  const stop = yield* compactIfNeeded(state)
  if (stop !== undefined) return stop
  // A summary costs too.
  const limit = checkBudget(state)
  return limit && { type: 'end', ending: limit }
}

/** The tools of the turn, in the order that the request has them in: whoever goes on from a call makes the same request of them. */
export function currentTools({ options, defineTools }: QueryState): readonly Tool[] {
  const tools = options.tools?.() ?? []
  const places = new Map(defineTools(tools).map(({ name }, place) => [name, place]))
  return tools.toSorted((one, other) => (places.get(one.name) ?? 0) - (places.get(other.name) ?? 0))
}

async function* collectResults(state: QueryState, attempt: Attempt): AsyncGenerator<SessionRecord> {
  for await (const event of attempt.executor.getRemainingResults())
    yield* executorRecords(state, attempt, event)
  state.context = attempt.executor.context
  joinSettled(state, attempt)
}

/** Puts a message and what is known of its results into the history. */
export function addToHistory(state: QueryState, attempt: Attempt): void {
  const { content, message, results, usage } = attempt
  state.attempt = undefined
  state.turns += 1
  state.isCompacted = false
  state.contextTokens = countTokens(usage)
  state.lastStopReason = attempt.stopReason ?? null
  state.lastText = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  // A call that was put off stays open: the log ends with its message, as events have brought it.
  if (attempt.deferral !== undefined) return
  if (attempt.isLogged) state.history.addLogged(message)
  else if (content.length > 0) state.history.addAssistant(message)
  if (results.length > 0) state.toolTurns += 1
  state.history.addUser(results.map((event) => event.result))
}

function* attachedRecords(state: QueryState, { results }: Attempt): Generator<SessionRecord> {
  for (const message of results.flatMap((event) => event.attached)) {
    state.history.addUser(message.content)
    yield syntheticRecord(state, message)
  }
}
