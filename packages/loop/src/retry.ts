import type { ModelError } from '@x/contract'
import type { QueryOptions } from './types.ts'

/** How often one model was asked again for one message. */
export interface RetryCount {
  /** Tries within the budget. */
  retries: number
  /** A silent stream is tried once more, outside the budget. */
  stalls: number
  /** A line that broke after finished thinking is tried twice, at once. */
  thinkingTries: number
}

/** How a request is tried again: after how long, and as which try. */
export interface RetryPlan {
  readonly attempt: number
  readonly maxRetries: number
  readonly delayMs: number
}

/** Nothing was tried again yet. */
export function createRetryCount(): RetryCount {
  return { retries: 0, stalls: 0, thinkingTries: 0 }
}

/** Plans the next try after a failure that left nothing complete behind; `undefined` when there is to be none. */
export function planRetry(
  options: Pick<QueryOptions, 'retry' | 'random'>,
  count: RetryCount,
  failure: { readonly error: ModelError; readonly hasThinking: boolean },
): RetryPlan | undefined {
  const { error, hasThinking } = failure
  const { maxRetries = defaultMaxRetries, baseDelayMs = 500 } = options.retry ?? {}
  const attempt = count.retries + count.stalls + 1
  if (!takeTry(count, failure, maxRetries)) return undefined
  const isQuick = hasThinking || error.code === 'stalled'
  const delayMs = isQuick ? baseDelayMs : backOff(options, count.retries)
  return { attempt, maxRetries, delayMs: Math.max(delayMs, error.retryAfterMs ?? 0) }
}

function takeTry(
  count: RetryCount,
  { error, hasThinking }: { readonly error: ModelError; readonly hasThinking: boolean },
  maxRetries: number,
): boolean {
  if (!error.isRetryable) return false
  if (error.code === 'stalled') return count.stalls++ === 0
  if (count.retries >= maxRetries) return false
  if (hasThinking && count.thinkingTries >= maxThinkingTries) return false
  count.retries += 1
  if (hasThinking) count.thinkingTries += 1
  return true
}

/** Checks the options at the public edge. */
export function assertRetry({ retry = {} }: Pick<QueryOptions, 'retry'>): void {
  const { maxRetries = defaultMaxRetries } = retry
  if (!Number.isInteger(maxRetries) || maxRetries < 0 || maxRetries > mostRetries) {
    throw new RangeError(
      `retry.maxRetries must be a whole number from 0 to ${mostRetries}, but is ${maxRetries}`,
    )
  }
}

const defaultMaxRetries = 10
const mostRetries = 15
const maxThinkingTries = 2

/** Twice as long each time, up to a limit, and up to a quarter more so that many clients do not come back at once. */
function backOff(
  { retry = {}, random = Math.random }: Pick<QueryOptions, 'retry' | 'random'>,
  tries: number,
): number {
  const { baseDelayMs = 500, maxDelayMs = 32_000 } = retry
  return Math.round(Math.min(maxDelayMs, baseDelayMs * 2 ** (tries - 1)) * (1 + random() / 4))
}
