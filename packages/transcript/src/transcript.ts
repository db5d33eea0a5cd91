import type {
  AssistantMessage,
  HistoryLog,
  JsonObject,
  Message,
  SessionEvent,
  UserMessage,
} from '@x/contract'
import type { LoadReport } from './load.ts'
import type { RecordFacts, TranscriptRecord } from './record.ts'

/** How a transcript is opened. */
export interface OpenTranscriptOptions {
  /** The session that new records belong to. @default the name of the file without `.jsonl` */
  readonly sessionId?: string
  /** What new records tell of their place; asked for each append. @default the folder of the process, no version, no branch */
  readonly facts?: () => Partial<RecordFacts>
  /** The agent whose sidechain this is. Absent: a main transcript. */
  readonly agentId?: string
  /** `uuid` of the record after which it goes on; what came later stays in the file as another branch. @default the last one */
  readonly resumeAt?: string
  /** Content of the error result for a call that has none. @default `unknownOutcomeText` */
  readonly missingResultText?: string
  /** Waits after each append until the disk has it; else it is with the system, which a crash of the process cannot hurt. @default false */
  readonly sync?: boolean
  /** The time in milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** Stops the opening; the reason is thrown. */
  readonly signal?: AbortSignal
}

/** How messages are appended. */
export interface AppendOptions {
  /** The program says it, and people do not see it: instruction files, reminders. The model does. @default false */
  readonly isMeta?: boolean
}

/** How one message is written. */
export interface SayOptions extends AppendOptions {
  /** Names the record of the message. @default a new name */
  readonly uuid?: string
}

/** The conversation made shorter. */
export interface Compaction {
  /** Who wanted it. */
  readonly trigger: 'auto' | 'manual'
  /** Tokens of the conversation before. */
  readonly preTokens: number
  /** All of the conversation from now on. */
  readonly messages: readonly Message[]
  /** The first message is a summary of what was before. @default true */
  readonly hasSummary?: boolean
  /** The `compact_boundary` event, if there is one already; it is then not to be appended again. */
  readonly event?: SessionEvent
}

/** A conversation on disk that is open for writing. */
export interface Transcript extends HistoryLog, AsyncDisposable {
  /** The file. */
  readonly path: string
  /** The session that new records belong to. */
  readonly sessionId: string
  /** The conversation, fit to be sent: what was loaded and all that was appended. */
  readonly messages: readonly Message[]
  /** What the file was like when it was opened. */
  readonly report: LoadReport
  /** The number that the session's next event gets; numbers have no gaps over any number of resumes. */
  readonly nextSequence: number
  /**
   * Calls that had neither a result nor a record of their beginning when the transcript was opened. In `messages` their outcome is unknown;
   * a result that comes before any other message takes its place.
   */
  readonly waitingCalls: readonly string[]
  /** `uuid` of the last record of the conversation; null before the first. */
  readonly head: string | null
  /** The last record of each kind that is not part of the conversation (`custom-title`, `permission-mode` ...). */
  readonly metadata: ReadonlyMap<string, TranscriptRecord>
  /**
   * Writes messages behind the conversation, before the promise is returned. What events have brought since the last call is not
   * written again, so that a loop's history may be logged here beside its events.
   *
   * @throws TranscriptError `write-failed` or `closed`.
   */
  append(messages: readonly Message[], options?: AppendOptions): Promise<void>
  /**
   * Writes a user message ahead of a loop's history, which will tell it again: `append` does not write it twice.
   *
   * @throws TranscriptError `write-failed` or `closed`.
   */
  say(message: UserMessage, options?: SayOptions): Promise<void>
  /**
   * Writes that a call is about to begin, and its message as far as it is there. Where the transcript breaks off before that message is on
   * record, it is part of the loaded conversation, and the call has a result that says that its outcome is unknown.
   *
   * @throws TranscriptError `write-failed` or `closed`.
   */
  beforeCall(toolUseId: string, message: AssistantMessage): Promise<void>
  /**
   * Writes the events that last, before the promise is returned; of those that pass by (partial messages, progress) the number is kept.
   *
   * @throws TranscriptError `write-failed` or `closed`.
   */
  appendEvents(events: readonly SessionEvent[]): Promise<void>
  /**
   * Writes the mark of a compaction and the conversation that goes on behind it, in one piece: after a crash the old or the new
   * conversation loads, never a part of the new one.
   *
   * @throws TranscriptError `write-failed` or `closed`.
   */
  appendCompaction(compaction: Compaction): Promise<void>
  /**
   * Writes a record that is not part of the conversation; `type` and fields are the caller's, `sessionId` is added.
   *
   * @throws TypeError if `type` is one of the conversation's. TranscriptError `write-failed` or `closed`.
   */
  appendMetadata(record: JsonObject & { readonly type: string }): Promise<void>
  /** Keeps the number of an event that was given out, at the cost of a write of 16 bytes. A crash does not lose it. */
  noteSequence(sequence: number): void
  /** Gives the file free for the next writer. Harmless twice. */
  close(): Promise<void>
}
