import { randomUUID } from 'node:crypto'
import type { SessionEvent } from '@x/contract'
import type { BatchPlace } from './batch.ts'
import { toRecords } from './event-records.ts'
import { chainFields, type TranscriptRecord } from './record.ts'

/** The record where a compaction begins the history anew: that of its event, else one without. */
export function boundaryRecord(
  place: BatchPlace & { readonly parentUuid: null },
  event: SessionEvent | undefined,
): TranscriptRecord {
  const [fromEvent] = event === undefined ? [] : toRecords(event, place)
  if (fromEvent !== undefined) return fromEvent
  const own = { uuid: randomUUID(), sessionId: place.sessionId }
  return {
    ...chainFields('system', place, own),
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
  }
}
