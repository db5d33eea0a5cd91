import { randomUUID } from 'node:crypto'
import type { SessionEvent, SessionRecord } from '@x/contract'

/** Gives each record its place in the session. */
export type StampEvent = (record: SessionRecord) => SessionEvent

/** Makes the stamp of one session: numbers go on from `firstSequence` without gaps. */
export function createEventStamp(sessionId: string, firstSequence = 0): StampEvent {
  let next = firstSequence
  return (record) => {
    const event = { ...record, session_id: sessionId, uuid: randomUUID(), sequence: next }
    next += 1
    return event
  }
}
