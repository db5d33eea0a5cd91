import { type Message, type Model, repairHistory, type SessionRecord, withoutUndefined } from '@x/contract'
import type { Clock } from '@x/executor'
import { sleep } from '../clock.ts'
import { retryRecord } from '../records.ts'
import { createRetryCount, planRetry } from '../retry.ts'
import type { RetryOptions } from '../types.ts'
import { untilAborted } from '../until-aborted.ts'
import type { CompactOptions } from './port.ts'
import { type Answer, readAnswer } from './read-answer.ts'
import { summaryRequests } from './summary-requests.ts'
import { requestText } from './texts.ts'

/** Who is asked for a summary, and how often. */
export interface AskingOptions {
  readonly model: Model
  readonly maxOutputTokens: number | undefined
  readonly retry: RetryOptions
  readonly clock: Clock
  readonly random: () => number
}

/** What came of asking; `undefined` after an abort. */
export type Summary = Exclude<Answer, { type: 'too-long' }> | undefined

/** Asks the model of the conversation for a summary of it: of less and less, until it is not too long. */
export async function* askSummary(
  messages: readonly Message[],
  options: CompactOptions,
  asking: AskingOptions,
): AsyncGenerator<SessionRecord, Summary> {
  const { reason, instructions } = options
  let why = 'there is nothing to leave out'
  for (const request of summaryRequests(messages, { reason, request: requestText(instructions) })) {
    const answer = yield* askOften(repairHistory(request).messages, options, asking)
    if (answer?.type !== 'too-long') return answer
    ;({ why } = answer)
  }
  return { type: 'failed', why: `it is too long to be summarized (${why})` }
}

async function* askOften(
  messages: readonly Message[],
  options: CompactOptions,
  asking: AskingOptions,
): AsyncGenerator<SessionRecord, Answer | undefined> {
  const { signal, parentToolUseId = null } = options
  const count = createRetryCount()
  for (;;) {
    const answer = await untilAborted(signal, ask(messages, options, asking))
    if (answer === undefined || signal.aborted) return undefined
    const error = answer.type === 'failed' ? answer.error : undefined
    const plan = error && planRetry(asking, count, { error, hasThinking: false })
    if (error === undefined || plan === undefined) return answer
    yield retryRecord({ place: { parent_tool_use_id: parentToolUseId } }, { plan, error })
    await sleep(asking.clock, plan.delayMs, signal)
    if (signal.aborted) return undefined
  }
}

function ask(
  messages: readonly Message[],
  { modelName, system = [], tools = [], effort, signal, onUsage = () => {} }: CompactOptions,
  { model, maxOutputTokens }: AskingOptions,
): Promise<Answer> {
  const settings = withoutUndefined({ maxOutputTokens, effort })
  return readAnswer(model, { model: modelName, system, tools, messages, signal, ...settings }, onUsage)
}
