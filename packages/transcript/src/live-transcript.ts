import { randomUUID } from 'node:crypto'
import {
  type AssistantMessage,
  type JsonObject,
  type Message,
  repairHistory,
  type SessionEvent,
  type UserMessage,
} from '@x/contract'
import { type AppendFile, createAppendFile } from './append-file.ts'
import { addEvent, addMessage, type Batch, type BatchPlace, toLines } from './batch.ts'
import { boundaryRecord } from './boundary-record.ts'
import { CoveredBlocks } from './covered-blocks.ts'
import { TranscriptError } from './errors.ts'
import { isDurable, toRecords } from './event-records.ts'
import { groupMessages } from './group-messages.ts'
import type { HistoryEntry } from './history-entry.ts'
import { LastingMetadata } from './lasting-metadata.ts'
import type { LoadedTranscript, LoadReport } from './load.ts'
import type { TranscriptLock } from './lock.ts'
import { OpenCalls } from './open-calls.ts'
import type { RecordFacts, TranscriptRecord } from './record.ts'
import { startedType } from './started-calls.ts'
import type { AppendOptions, Compaction, SayOptions, Transcript } from './transcript.ts'

/** The options of a transcript, complete. */
export interface LiveOptions {
  readonly sessionId: string
  readonly facts: () => RecordFacts
  readonly agentId: string | undefined
  readonly missingResultText: string
  readonly sync: boolean
  readonly now: () => number
}

/** What a transcript stands on. */
export interface LiveParts {
  readonly loaded: LoadedTranscript
  readonly lock: TranscriptLock
  readonly options: LiveOptions
}

/** A transcript that is open: each append is one write, done before the call returns. */
export class LiveTranscript implements Transcript {
  readonly path: string
  readonly sessionId: string
  readonly report: LoadReport
  readonly waitingCalls: readonly string[]
  readonly #options: LiveOptions
  readonly #lock: TranscriptLock
  readonly #file: AppendFile
  readonly #covered = new CoveredBlocks()
  readonly #metadata: LastingMetadata
  /** The last record of each agent whose events stand in this file, by the call that started it. */
  readonly #agentHeads = new Map<string, string | null>()
  #entries: HistoryEntry[]
  #messages: readonly Message[] | undefined
  #head: string | null
  readonly #uuids: Set<string>
  readonly #openCalls: OpenCalls
  #nextSequence: number
  /** As the records of the file tell it. */
  #writtenSequence: number
  #isClosed = false

  constructor(path: string, { loaded, lock, options }: LiveParts) {
    this.path = path
    this.sessionId = options.sessionId
    this.report = loaded.report
    this.#options = options
    this.#lock = lock
    this.#file = createAppendFile(path, loaded)
    this.#metadata = new LastingMetadata(loaded.metadata)
    this.#entries = [...loaded.entries]
    this.#head = loaded.head
    this.#uuids = new Set(loaded.uuids)
    this.#openCalls = new OpenCalls(loaded, options.missingResultText)
    this.waitingCalls = this.#openCalls.waiting
    this.#writtenSequence = loaded.nextSequence
    this.#nextSequence = Math.max(loaded.nextSequence, lock.inheritedSequence)
  }

  get messages(): readonly Message[] {
    const { missingResultText } = this.#options
    this.#messages ??= repairHistory(groupMessages(this.#openCalls.follow(this.#entries)), {
      missingResultText,
    }).messages
    return this.#messages
  }

  get nextSequence(): number {
    return this.#nextSequence
  }

  get head(): string | null {
    return this.#head
  }

  hasRecord(uuid: string): boolean {
    return this.#uuids.has(uuid)
  }

  get metadata(): ReadonlyMap<string, TranscriptRecord> {
    return this.#metadata.records
  }

  async append(messages: readonly Message[], { isMeta = false }: AppendOptions = {}): Promise<void> {
    const batch = this.#begin()
    const place = this.#place()
    const flags = isMeta ? { isMeta } : {}
    const fresh = messages.map((message) => ({ whole: message, message: this.#covered.takeNew(message) }))
    this.#covered.clear()
    this.#answerOpenCalls(
      batch,
      place,
      fresh.flatMap(({ message }) => message ?? []),
    )
    for (const { whole, message } of fresh) {
      if (message === undefined) continue
      addMessage(batch, place, {
        message: message === whole ? this.#withOwnId(message, batch) : message,
        flags,
      })
    }
    await this.#commit(batch)
  }

  async say(message: UserMessage, { isMeta = false, uuid }: SayOptions = {}): Promise<void> {
    const batch = this.#begin()
    const place = this.#place()
    this.#answerOpenCalls(batch, place, [message])
    const flags = isMeta ? { isMeta } : {}
    addMessage(batch, place, { message, flags, ...(uuid !== undefined && { uuid }) })
    await this.#commit(batch)
    this.#covered.add(message)
  }

  async beforeCall(toolUseId: string, message: AssistantMessage): Promise<void> {
    const batch = this.#begin()
    const { timestamp } = this.#place()
    batch.records.push({ type: startedType, sessionId: this.sessionId, timestamp, toolUseId, message })
    await this.#commit(batch)
  }

  async appendEvents(events: readonly SessionEvent[]): Promise<void> {
    const batch = this.#begin()
    for (const event of events) if (!isDurable(event)) this.noteSequence(event.sequence)
    const durable = events.filter(isDurable)
    // Most events pass by: they cost a number and nothing else.
    if (durable.length === 0) return
    const place = this.#place()
    const own = durable.filter((event) => this.#agentOf(event) === undefined)
    this.#answerOpenCalls(batch, place, own.flatMap(messageOf))
    for (const event of durable) {
      if (this.#agentOf(event) === undefined) addEvent(batch, place, event)
      else this.#addAgentEvent(batch, place, event)
    }
    await this.#commit(batch)
    for (const entry of batch.entries) if (entry.kind === 'message') this.#covered.add(entry.message)
  }

  async appendCompaction({
    trigger,
    preTokens,
    messages,
    hasSummary = true,
    event,
  }: Compaction): Promise<void> {
    const batch: Batch = { ...this.#begin(), head: null }
    const place = this.#place()
    const boundary = boundaryRecord({ ...place, parentUuid: null }, event)
    batch.head = boundary.uuid ?? null
    for (const [index, message] of messages.entries())
      addMessage(batch, place, {
        message,
        flags: hasSummary && index === 0 ? { isCompactSummary: true } : {},
      })
    batch.records.unshift({
      ...boundary,
      logicalParentUuid: this.#head,
      compactMetadata: { trigger, preTokens, lastUuid: batch.head },
    })
    // Who loads from here does not see the numbers before.
    if (this.#nextSequence > 0) batch.records.splice(1, 0, this.#sequenceRecord())
    this.#openCalls.forget()
    this.#covered.clear()
    await this.#commit(batch, { isCompaction: true })
  }

  async appendMetadata(record: JsonObject & { readonly type: string }): Promise<void> {
    if (chainTypes.has(record.type))
      throw new TypeError(`type must not be one of the conversation's: ${record.type}`)
    const batch = this.#begin()
    const { type, ...fields } = record
    const added = { type, sessionId: this.sessionId, ...fields }
    batch.records.push(added)
    // Before the write, which may repeat the last record of each kind behind it.
    this.#metadata.set(added)
    await this.#commit(batch)
  }

  noteSequence(sequence: number): void {
    if (this.#isClosed || sequence < this.#nextSequence) return
    this.#nextSequence = sequence + 1
    this.#lock.keepSequence(this.#nextSequence)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    try {
      // Behind an open last line, or in a file that nobody wrote to, a number alone is no reason to write.
      if (this.#nextSequence > this.#writtenSequence) this.#file.add(toLines([this.#sequenceRecord()]))
      if (this.#options.sync) await this.#file.flush()
    } finally {
      this.#file.close()
      this.#lock.release()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #begin(): Batch {
    if (this.#isClosed) throw new TranscriptError('closed', `${this.path} was closed`, { file: this.path })
    return { records: [], entries: [], head: this.#head }
  }

  #place(): BatchPlace {
    const { facts, agentId, now } = this.#options
    const timestamp = new Date(now()).toISOString()
    return { ...facts(), timestamp, sessionId: this.sessionId, ...(agentId !== undefined && { agentId }) }
  }

  /** The call whose agent an event of a main transcript belongs to. */
  #agentOf(event: SessionEvent): string | undefined {
    if (this.#options.agentId !== undefined || !('parent_tool_use_id' in event)) return undefined
    return typeof event.parent_tool_use_id === 'string' ? event.parent_tool_use_id : undefined
  }

  #addAgentEvent(batch: Batch, place: BatchPlace, event: SessionEvent): void {
    const agent = this.#agentOf(event) ?? ''
    const records = toRecords(event, { ...place, parentUuid: this.#agentHeads.get(agent) ?? null })
    this.#agentHeads.set(agent, records.at(-1)?.uuid ?? null)
    batch.records.push(...records)
  }

  /** Another message under the id of the last one would be read as its continuation. */
  #withOwnId(message: Message, batch: Batch): Message {
    if (message.role === 'user' || message.id === undefined) return message
    const last = batch.entries.findLast(isModelEntry) ?? this.#entries.findLast(isModelEntry)
    const isTaken = last?.kind === 'message' && last.group === message.id
    return isTaken ? { ...message, id: `${message.id}_${randomUUID()}` } : message
  }

  #answerOpenCalls(batch: Batch, place: BatchPlace, coming: readonly Message[]): void {
    for (const missing of this.#openCalls.takeMissing(coming)) addMessage(batch, place, missing)
  }

  async #commit(batch: Batch, options: { readonly isCompaction?: boolean } = {}): Promise<void> {
    const { records, entries, head } = batch
    if (records.length === 0) return
    const lines = toLines(records)
    this.#file.add(lines + this.#metadata.linesAfter(lines.length, options))
    this.#head = head
    for (const { sequence = -1, uuid } of records) {
      this.#writtenSequence = Math.max(this.#writtenSequence, sequence + 1)
      if (uuid !== undefined) this.#uuids.add(uuid)
    }
    this.#nextSequence = Math.max(this.#nextSequence, this.#writtenSequence)
    if (options.isCompaction === true) this.#entries = [...entries]
    else this.#entries.push(...entries)
    if (options.isCompaction === true || entries.length > 0) this.#messages = undefined
    if (this.#options.sync) await this.#file.flush()
  }

  #sequenceRecord(): TranscriptRecord {
    return { type: 'sequence', sessionId: this.sessionId, sequence: this.#nextSequence - 1 }
  }
}

const chainTypes = new Set(['user', 'assistant', 'system', 'attachment', 'progress', 'result', 'sequence'])

function messageOf(event: SessionEvent): readonly Message[] {
  return event.type === 'user' || event.type === 'assistant' ? [event.message] : []
}

function isModelEntry(entry: HistoryEntry): boolean {
  return entry.kind === 'message' && entry.message.role === 'assistant'
}
