import type { SessionRecord } from '@x/contract'

/** Makes the record of a line for the user. */
export function notice(content: string, level: 'notice' | 'warning'): SessionRecord {
  return { type: 'system', subtype: 'informational', content, level }
}
