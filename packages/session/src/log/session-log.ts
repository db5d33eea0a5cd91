import type { HistoryLog, JsonObject, Message, SessionEvent, SessionRecord, UserMessage } from '@x/contract'
import type { Compaction } from '@x/transcript'

/** A session as it is written down: what the model is told before it is told, and every event before it goes out. */
export interface SessionLog extends AsyncDisposable {
  /** For the loop. */
  readonly history: HistoryLog
  /** The conversation that was there when the log was opened. */
  readonly messages: readonly Message[]
  /** Calls in it that are open and have not begun, as far as is known. */
  readonly waitingCalls: readonly string[]
  /** The file of the transcript; undefined where nothing is kept. */
  readonly path: string | undefined
  /** The folder of what belongs to the session; undefined where nothing is kept. */
  readonly folder: string | undefined
  /** The last record of each kind beside the conversation. */
  readonly metadata: ReadonlyMap<string, JsonObject>
  /** What the file was like; a line for the user each. */
  readonly notices: readonly string[]
  /** Gives a record its place in the session, and keeps it. */
  keep(record: SessionRecord): Promise<SessionEvent>
  /** Writes a user message that no event brings. `uuid` names its record; `isMeta`: no person said it. */
  say(message: UserMessage, options?: { readonly uuid?: string; readonly isMeta?: boolean }): Promise<void>
  /** Writes that the conversation was made shorter, and the shorter one. */
  compact(compaction: Compaction): Promise<void>
  /** Writes a record beside the conversation. */
  note(record: JsonObject & { readonly type: string }): Promise<void>
}
