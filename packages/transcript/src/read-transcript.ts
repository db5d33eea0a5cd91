import { type Message, repairHistory, type SessionEvent } from '@x/contract'
import { toEvents } from './event-records.ts'
import { groupMessages } from './group-messages.ts'
import { type LoadReport, loadTranscript, openForReading } from './load.ts'
import { parseLine } from './parse-line.ts'
import { readLinesForward } from './read-lines.ts'
import type { TranscriptRecord } from './record.ts'
import { withUntold } from './started-calls.ts'
import type { OpenTranscriptOptions } from './transcript.ts'
import { unknownOutcomeText } from './unknown-outcome.ts'

/** How a transcript is read without being written. */
export interface ReadTranscriptOptions
  extends Pick<OpenTranscriptOptions, 'resumeAt' | 'missingResultText' | 'signal'> {
  /** The file is an agent's sidechain. @default false */
  readonly isSidechain?: boolean
}

/** A conversation as the file tells it. */
export interface ReadTranscript {
  /** The conversation, fit to be sent. */
  readonly messages: readonly Message[]
  /** What the file was like. */
  readonly report: LoadReport
  /** `uuid` of the last record of the conversation; null in an empty one. */
  readonly head: string | null
  /** The last record of each kind that is not part of the conversation. */
  readonly metadata: ReadonlyMap<string, TranscriptRecord>
}

/**
 * Reads a conversation from disk, also one that somebody is writing. Takes no lock and changes nothing; a missing file is an empty one.
 *
 * @throws TranscriptError `unreadable`, or `not-found` for an unknown `resumeAt`.
 */
export async function readTranscript(
  path: string,
  options: ReadTranscriptOptions = {},
): Promise<ReadTranscript> {
  const { resumeAt, signal, isSidechain = false, missingResultText = unknownOutcomeText } = options
  const { entries, untold, report, head, metadata } = await loadTranscript(path, {
    isSidechain,
    upTo: resumeAt,
    signal,
  })
  const { messages } = repairHistory(groupMessages(withUntold(entries, untold)), { missingResultText })
  return { messages, report, head, metadata }
}

/** Which events are read. */
export interface ReadEventsOptions {
  /** Only events with a greater number. @default -1 */
  readonly after?: number
  /** Stops the reading. */
  readonly signal?: AbortSignal
}

/**
 * Gives the session events of a transcript in the order of the file, those of agents too, without holding the file in memory.
 * Numbers may be missing: those of events that passed by.
 *
 * @throws TranscriptError `unreadable`; the signal's reason.
 */
export async function* readEvents(
  path: string,
  options: ReadEventsOptions = {},
): AsyncGenerator<SessionEvent, void> {
  const { after = -1, signal } = options
  let group: TranscriptRecord[] = []
  for await (const record of readRecords(path, signal)) {
    if ((record.sequence ?? -1) <= after) continue
    // The records of one event stand one behind the other.
    if (group[0]?.sequence !== record.sequence) {
      yield* toEvents(group)
      group = []
    }
    group.push(record)
  }
  yield* toEvents(group)
}

/** Gives all records of a file that can be read, in its order. */
export async function* readRecords(
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<TranscriptRecord, void> {
  await using file = await openForReading(path)
  if (file === undefined) return
  const { size } = await file.stat()
  for await (const lines of readLinesForward(file, { size, signal })) {
    for (const line of lines) {
      const parsed = parseLine(line)
      if (parsed.kind === 'record') yield parsed.record
    }
  }
}
