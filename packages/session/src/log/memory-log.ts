import type { Message } from '@x/contract'
import { createEventStamp } from '../event-stamp.ts'
import type { SessionLog } from './session-log.ts'

/** Makes a log that keeps nothing: the conversation lives as long as its session. It may go on from one that was kept. */
export function createMemoryLog(
  sessionId: string,
  messages: readonly Message[] = [],
  firstSequence = 0,
): SessionLog {
  const stamp = createEventStamp(sessionId, firstSequence)
  return {
    history: { append: async () => {} },
    messages,
    waitingCalls: [],
    path: undefined,
    folder: undefined,
    metadata: new Map(),
    notices: [],
    keep: async (record) => stamp(record),
    say: async () => {},
    compact: async () => {},
    note: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
}
