import { type HookOutcome, reminderText, type SessionRecord } from '@x/contract'
import type { Attempt } from './attempt.ts'
import { callsOf } from './calls-of.ts'
import { type Ending, endings } from './ending.ts'
import { noteRecord, syntheticRecord } from './records.ts'
import type { QueryState } from './state.ts'
import { describeError } from './texts.ts'
import type { AnsweredCall, SamplingView, StopHook } from './types.ts'
import { untilAborted } from './until-aborted.ts'

/** Runs the callbacks after the model's output one by one, beside the calls; gives what failed, for the user. Never rejects. */
export async function startPostSampling(state: QueryState, attempt: Attempt): Promise<readonly string[]> {
  const failures: string[] = []
  const view = samplingView(state, attempt)
  for (const callback of state.options.postSampling ?? []) {
    if (state.signal.aborted) break
    try {
      await callback(view)
    } catch (error) {
      failures.push(`A callback after the model's output failed: ${describeError(error)}`)
    }
  }
  return failures
}

/** Runs the stop hooks one by one. Gives the ending; none if one of them sends the model on. */
export async function* runStopHooks(
  state: QueryState,
  attempt: Attempt,
): AsyncGenerator<SessionRecord, Ending | undefined> {
  const reasons: string[] = []
  for (const hook of state.options.stopHooks ?? []) {
    if (state.signal.aborted) break
    const { stop, blockingError, context = [] } = (yield* runStopHook(state, attempt, hook)) ?? {}
    if (stop !== undefined) return endings.stopHookPrevented(state, stop.reason).ending
    reasons.push(...(blockingError === undefined ? [] : [blockingError]), ...context)
  }
  if (reasons.length === 0) return endings.completed(state).ending
  return yield* sendOn(state, reasons.join('\n'))
}

/** Tells that all calls of a message are answered. Gives the ending, if that ends the query. */
export async function* runAfterCalls(
  state: QueryState,
  attempt: Attempt,
): AsyncGenerator<SessionRecord, Ending | undefined> {
  const { afterCalls } = state.options
  const calls = answeredCalls(attempt)
  if (afterCalls === undefined || calls.length === 0 || state.signal.aborted) return undefined
  const outcome = yield* callHook(state, 'A hook after the calls', () =>
    afterCalls({ ...samplingView(state, attempt), calls }),
  )
  if (outcome === undefined) return undefined
  const reason = outcome.blockingError ?? outcome.stop?.reason
  yield* remind(state, reason === undefined ? outcome.context : [...outcome.context, reason])
  return reason === undefined ? undefined : endings.hookStopped(state, reason).ending
}

function* remind(state: QueryState, texts: readonly string[]): Generator<SessionRecord> {
  for (const text of texts) {
    const content = [{ type: 'text' as const, text: reminderText(text) }]
    state.history.addUser(content)
    yield syntheticRecord(state, { role: 'user', content })
  }
}

function answeredCalls({ message, results }: Attempt): readonly AnsweredCall[] {
  const byId = new Map(results.map(({ toolUseId, result }) => [toolUseId, result]))
  return callsOf(message).flatMap((call) => {
    const result = byId.get(call.id)
    return result === undefined ? [] : [{ call, result }]
  })
}

function* sendOn(state: QueryState, content: string): Generator<SessionRecord, Ending | undefined> {
  const { maxStopHookBlocks = 8 } = state.options
  state.stopBlocks += 1
  if (maxStopHookBlocks > 0 && state.stopBlocks > maxStopHookBlocks) {
    yield noteRecord(
      state,
      `Stop hooks sent the model on ${maxStopHookBlocks} times in a row; the query ends now.`,
    )
    return endings.completed(state).ending
  }
  state.history.addUser(content)
  yield syntheticRecord(state, { role: 'user', content })
  return undefined
}

function runStopHook(
  state: QueryState,
  attempt: Attempt,
  hook: StopHook,
): AsyncGenerator<SessionRecord, HookOutcome | undefined> {
  const view = { ...samplingView(state, attempt), lastText: state.lastText, isActive: state.stopBlocks > 0 }
  return callHook(state, 'A stop hook', () => hook(view))
}

/** Calls a hook and shows its notices. One that throws is reported and has no opinion. */
async function* callHook(
  state: QueryState,
  name: string,
  call: () => undefined | HookOutcome | Promise<HookOutcome | undefined>,
): AsyncGenerator<SessionRecord, HookOutcome | undefined> {
  try {
    const outcome = await untilAborted(state.signal, Promise.resolve(call()))
    for (const notice of outcome?.notices ?? []) yield noteRecord(state, notice, { level: 'notice' })
    return outcome
  } catch (error) {
    yield noteRecord(state, `${name} failed: ${describeError(error)}`)
    return undefined
  }
}

function samplingView(state: QueryState, attempt: Attempt): SamplingView {
  const { request, content, message } = attempt
  return { messages: request, signal: state.signal, ...(content.length > 0 && { message }) }
}
