import type { SessionRecord } from '@x/contract'
import { assertLimits, checkBudget } from './budget.ts'
import { runStopHooks } from './callbacks.ts'
import { assertThreshold } from './compaction.ts'
import { type Ending, endings, endQuery } from './ending.ts'
import { leaveAttempt } from './leave-attempt.ts'
import { answerPending } from './pending-message.ts'
import { noteRecord } from './records.ts'
import { assertRetry } from './retry.ts'
import { openState, type QueryState } from './state.ts'
import { runTurn } from './turn.ts'
import type { Query, QueryEnd, QueryOptions } from './types.ts'

/**
 * Answers one prompt: asks the model, runs the calls it makes while it still speaks, hands it their results, until it has
 * finished, a limit is reached, or the query is aborted.
 *
 * Whatever happens, the last record is a `result`, every call of the history has its one result, and all of the history is
 * logged. Returning early cancels what runs and waits for its end, or its grace. Nothing is left on the controller's signal.
 *
 * @throws RangeError if a limit, `compactThreshold` or `retry.maxRetries` is out of range, or a model has no price while there is a budget in money.
 *
 * @example
 * for await (const record of runQuery(options)) if (record.type === 'result') console.log(record.result)
 */
export function runQuery(options: QueryOptions): Query {
  assertLimits(options)
  assertRetry(options)
  assertThreshold(options)
  const state = openState(options)
  return Object.assign(run(state), {
    interrupt: () => state.attempt?.executor.interrupt(),
    settled: () => state.settled,
  })
}

async function* run(state: QueryState): AsyncGenerator<SessionRecord, QueryEnd, undefined> {
  try {
    return yield* endQuery(state, yield* runTurns(state))
  } catch (error) {
    leaveAttempt(state)
    return yield* endQuery(state, failureEnding(state, error))
  } finally {
    await closeQuery(state)
  }
}

async function* runTurns(state: QueryState): AsyncGenerator<SessionRecord, Ending> {
  const stop = yield* begin(state)
  if (stop !== undefined) return stop
  for (;;) {
    const limit = checkBudget(state)
    if (limit !== undefined) return limit
    const turn = yield* runTurn(state)
    if (turn.type === 'end') return turn.ending
    const ending = turn.type === 'finished' ? yield* runStopHooks(state, turn.attempt) : undefined
    if (ending !== undefined) return ending
    yield* joinPending(state)
  }
}

async function* begin(state: QueryState): AsyncGenerator<SessionRecord, Ending | undefined> {
  const { history, options } = state
  const { pendingMessage, prompt } = options
  if (history.mended > 0)
    yield noteRecord(state, `The history had ${history.mended} faults, which were mended`)
  const outcome = pendingMessage && (yield* answerPending(state, pendingMessage))
  if (outcome?.type === 'end') return outcome.ending
  for (const message of prompt) history.addUser(message.content)
  return undefined
}

function* joinPending(state: QueryState): Generator<SessionRecord> {
  for (const message of state.options.pendingMessages?.() ?? []) {
    state.history.addUser(message.content)
    yield { type: 'user', message, ...state.place }
  }
}

function failureEnding(state: QueryState, error: unknown): Ending {
  return state.signal.aborted ? endings.aborted(state, 'streaming').ending : endings.failed(error).ending
}

/** Whoever stops reading stops the query: the history ends valid and logged, and what runs is cancelled and has ended. */
async function closeQuery(state: QueryState): Promise<void> {
  if (state.isEnded) return
  leaveAttempt(state)
  await state.history.commit()
  await state.settled
}
