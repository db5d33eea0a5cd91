import type { Message, ModelError, SessionRecord } from '@x/contract'
import { type Attempt, openAttempt } from './attempt.ts'
import { assistantRecords, type WithdrawalReason, withdrawalRecords } from './attempt-records.ts'
import { sleep } from './clock.ts'
import { createInbox } from './inbox.ts'
import { nextStep } from './next-step.ts'
import { noteRecord, retryRecord } from './records.ts'
import { createRetryCount } from './retry.ts'
import type { QueryState } from './state.ts'
import { type Arrival, type StreamOutcome, streamMessage } from './stream-message.ts'
import { refusedCallText } from './texts.ts'

/** What came of asking for one message. */
export type Reply =
  | {
      readonly type: 'message'
      readonly attempt: Attempt
      readonly isAborted: boolean
      /** Why the message broke off, if it did. */
      readonly broken?: ModelError
    }
  | { readonly type: 'aborted' }
  | { readonly type: 'failed'; readonly error: ModelError }

/** Asks for one message: again after a failure that left nothing behind, and another model where that may help. */
export async function* askModel(
  state: QueryState,
  request: readonly Message[],
): AsyncGenerator<SessionRecord, Reply> {
  let index = state.nextModel
  let count = createRetryCount()
  state.nextModel = 0
  for (;;) {
    const model = state.models[index] ?? state.options.modelName
    const inbox = createInbox<Arrival>()
    const attempt = openAttempt(state, { model, request, wake: inbox.wake })
    const outcome: StreamOutcome = yield* streamMessage(state, attempt, inbox)
    const hasFallback = index + 1 < state.models.length
    const step = nextStep(state.options, attempt, { outcome, count, hasFallback })
    switch (step.type) {
      case 'keep':
        if (step.switches) state.nextModel = index + 1
        yield* keep(state, attempt, step)
        return {
          type: 'message',
          attempt,
          isAborted: step.isAborted,
          ...(step.broken && { broken: step.broken }),
        }
      case 'fail':
        yield* withdraw(state, attempt, 'failed')
        return { type: 'failed', error: step.error }
      case 'fall-back':
        yield* withdraw(state, attempt, 'fallback')
        index += 1
        count = createRetryCount()
        yield noteRecord(state, `Switched from ${model} to ${String(state.models[index])}: ${step.why}`)
        break
      case 'retry':
        yield* withdraw(state, attempt, 'retry')
        yield retryRecord(state, step)
        await sleep(state.clock, step.plan.delayMs, state.signal)
        if (state.signal.aborted) return { type: 'aborted' }
    }
  }
}

function* keep(
  state: QueryState,
  attempt: Attempt,
  { isAborted }: { readonly isAborted: boolean },
): Generator<SessionRecord> {
  if (attempt.stopReason === 'refusal') attempt.executor.cancelQueued(refusedCallText)
  const isFull = isCutOff(attempt)
  const isBroken = attempt.gate.close({ isCutOff: isFull })
  attempt.hasLostCall = isBroken || isLostWhole(attempt)
  yield* assistantRecords(state, attempt, {
    ...(isAborted && { aborted: true }),
    ...(isFull && { error: 'max_output_tokens' }),
  })
}

/** Tells whether the output limit or the end of the window cut the message off. */
function isCutOff({ stopReason }: Pick<Attempt, 'stopReason'>): boolean {
  return stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded'
}

/** A call whose block never ended is not in the history, so no result can tell the model. */
export function isLostWhole(attempt: Pick<Attempt, 'stopReason' | 'openBlocks'>): boolean {
  return isCutOff(attempt) && [...attempt.openBlocks.values()].includes('tool_use')
}

function* withdraw(state: QueryState, attempt: Attempt, reason: WithdrawalReason): Generator<SessionRecord> {
  attempt.executor.discard()
  state.attempt = undefined
  // What a call changed in the context stays changed: the world did change.
  state.context = attempt.executor.context
  joinSettled(state, attempt)
  state.history.releaseIds(attempt.calls.keys())
  yield* withdrawalRecords(state, attempt, reason)
}

/** Calls of this message may still be ending when the next one starts its own. */
export function joinSettled(state: QueryState, attempt: Attempt): void {
  state.settled = Promise.all([state.settled, attempt.executor.settled]).then(() => undefined)
}
