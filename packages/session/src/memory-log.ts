import type { HistoryLog, Message } from '@x/contract'

/** A history in memory. */
export interface MemoryLog extends HistoryLog {
  /** All that was appended, in order. */
  readonly messages: readonly Message[]
}

/** Makes a history log that lives as long as the session. */
export function createMemoryLog(): MemoryLog {
  const messages: Message[] = []
  return {
    messages,
    async append(added) {
      messages.push(...added)
    },
  }
}
