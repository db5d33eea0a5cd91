import type { DebugRecord } from './types.ts'

/**
 * Writes a debug record as one line.
 *
 * @example
 * createStreamingToolExecutor({ ...options, debug: (record) => console.error(formatDebugRecord(record)) })
 * // Read toolu_2 executing (safe) beside toolu_1
 */
export function formatDebugRecord(record: DebugRecord): string {
  const { toolName, toolUseId, state, isConcurrencySafe, beside, detail } = record
  const company = beside.length === 0 ? '' : ` beside ${beside.join(', ')}`
  const rest = detail === undefined ? '' : `: ${detail}`
  return `${toolName} ${toolUseId} ${state} (${isConcurrencySafe ? 'safe' : 'alone'})${company}${rest}`
}
