import type { DebugRecord } from '@x/executor'

/** One line for one change of a call's state: what, safe or not, what runs beside it. */
export function describeState(record: DebugRecord): string {
  const { toolName, toolUseId, state, isConcurrencySafe, beside, detail } = record
  const company = beside.length === 0 ? 'alone' : `beside ${beside.join(', ')}`
  const kind = isConcurrencySafe ? 'safe' : 'not safe'
  return `[call] ${toolName} ${toolUseId}: ${state}, ${kind}, ${company}${detail === undefined ? '' : ` (${detail})`}`
}
