import { randomUUID } from 'node:crypto'
import type { AssistantMessage, Message, SessionEvent } from '@x/contract'
import { toRecords } from './event-records.ts'
import { type HistoryEntry, toEntry } from './history-entry.ts'
import { chainFields, type RecordPlace, splitMessage, type TranscriptRecord } from './record.ts'

/** What is written at once: records in their order, and what they bring into the history. */
export interface Batch {
  readonly records: TranscriptRecord[]
  readonly entries: HistoryEntry[]
  /** The record that the next one goes behind. */
  head: string | null
}

/** What every record of a batch says. */
export interface BatchPlace extends Omit<RecordPlace, 'parentUuid'> {
  /** The session that the records belong to. */
  readonly sessionId: string
}

/** Adds a message that no event brought. A model message gets an id where its records need one to be joined again. */
export function addMessage(
  batch: Batch,
  place: BatchPlace,
  { message, flags, uuid }: { readonly message: Message; readonly flags: object; readonly uuid?: string },
): void {
  const named = message.role === 'assistant' ? withId(message) : message
  for (const part of splitMessage(named)) {
    const own = { uuid: uuid ?? randomUUID(), sessionId: place.sessionId }
    const record = chainFields(part.role, { ...place, parentUuid: batch.head }, own)
    batch.records.push({ ...record, ...flags, message: part })
    batch.head = own.uuid
  }
  const group = named.role === 'assistant' ? named.id : undefined
  batch.entries.push({ kind: 'message', message: named, ...(group !== undefined && { group }) })
}

/** Adds an event of this conversation. */
export function addEvent(batch: Batch, place: BatchPlace, event: SessionEvent): void {
  for (const record of toRecords(event, { ...place, parentUuid: batch.head })) {
    batch.records.push(record)
    if (record.type === 'result') continue
    batch.head = record.uuid ?? batch.head
    const entry = toEntry(record)
    if (entry !== undefined && entry !== 'none') batch.entries.push(entry)
  }
}

/** The lines of records, each with its newline. */
export function toLines(records: readonly TranscriptRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

function withId(message: AssistantMessage): AssistantMessage {
  const needsId = typeof message.content !== 'string' && message.content.length > 1
  return message.id === undefined && needsId ? { ...message, id: `msg_${randomUUID()}` } : message
}
