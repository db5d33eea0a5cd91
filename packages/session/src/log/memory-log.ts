import type { Message } from '@x/contract'
import { createEventStamp } from '../event-stamp.ts'
import type { SessionLog } from './session-log.ts'

/** Makes a log that keeps nothing: the conversation lives as long as its session. It may go on from one that was kept. */
export function createMemoryLog(
  sessionId: string,
  messages: readonly Message[] = [],
  metadata: SessionLog['metadata'] = new Map(),
): SessionLog {
  const stamp = createEventStamp(sessionId, 0)
  return {
    history: { append: async () => {} },
    messages,
    waitingCalls: [],
    path: undefined,
    folder: undefined,
    metadata,
    notices: [],
    hasRecord: () => false,
    keep: async (record) => stamp(record),
    say: async () => {},
    compact: async () => {},
    note: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
}
