import { toPlain } from './live/paint.ts'

/** Says that a request is tried again: why, when, and how often at most. */
export function describeRetry(record: Readonly<Record<string, unknown>>): string {
  const { attempt, max_retries: most, retry_delay_ms: delayMs, message, error } = record
  const seconds = typeof delayMs === 'number' ? (delayMs / 1000).toFixed(1) : '?'
  const why = toPlain(typeof message === 'string' ? message : String(error))
  return `${why}; trying again in ${seconds} s (${String(attempt)} of ${String(most)})`
}
