import type { SessionRecord } from '@x/contract'
import { toPlain } from './live/paint.ts'

/** Says that a request is tried again, an agent's too: why, when, and how often at most. Undefined for a record of something else. */
export function describeRetry(record: SessionRecord): string | undefined {
  if (record.type === 'system' && record.subtype === 'api_retry') return describe(record)
  if (record.type !== 'tool_progress' || record.subagent_retry === undefined) return undefined
  return `Agent ${toPlain(record.subagent_type ?? '')}: ${describe(record.subagent_retry)}`
}

function describe(record: Readonly<Record<string, unknown>>): string {
  const { attempt, max_retries: most, retry_delay_ms: delayMs, message, error } = record
  const seconds = typeof delayMs === 'number' ? (delayMs / 1000).toFixed(1) : '?'
  const why = toPlain(typeof message === 'string' ? message : String(error))
  return `${why}; trying again in ${seconds} s (${String(attempt)} of ${String(most)})`
}
