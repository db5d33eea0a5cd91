import type {
  AssistantMessage,
  Authorize,
  DecisionReason,
  JsonObject,
  Tool,
  ToolHooks,
  ToolResultBlock,
  ToolUseBlock,
  ToolUseContext,
  UserMessage,
} from '@x/contract'

/**
 * What ended a call.
 *
 * `ran` is the call's own end, success or failure. `deferred`: a hook put it off; its result is for nobody, the call stays open.
 * A call whose work was done when something else ended it has that as its cause, and its result says that it ran.
 */
export type Cause =
  | 'ran'
  | 'unknown-tool'
  | 'invalid-input'
  | 'denied'
  | 'deferred'
  | 'not-started'
  | 'streaming-fallback'
  | 'sibling-failed'
  | 'user-cancelled'
  | 'user-interrupted'
  | 'permission-rejected'
  | 'host-stopped'

/** What comes out of an executor. Start, progress and end pass at once; results come in the order of the calls. */
export type ExecutorEvent = ToolStartEvent | ToolProgressEvent | ToolEndEvent | ToolResultEvent

/** A call began. What starts also ends, unless the message is discarded. */
export interface ToolStartEvent {
  /** Tells the events apart. */
  readonly type: 'tool-start'
  /** The id of the call. */
  readonly toolUseId: string
}

/** A running call says how far it is. */
export interface ToolProgressEvent {
  /** Tells the events apart. */
  readonly type: 'tool-progress'
  /** The id of the call. */
  readonly toolUseId: string
  /** What the tool reported. */
  readonly data: unknown
  /** How many reports of this call were dropped so far because nobody took them. */
  readonly dropped: number
}

/** A call that had begun was answered. Its result may have to wait for those before it. */
export interface ToolEndEvent {
  /** Tells the events apart. */
  readonly type: 'tool-end'
  /** The id of the call. */
  readonly toolUseId: string
  /** What ended it. */
  readonly cause: Cause
}

/** The one answer of a call. */
export interface ToolResultEvent {
  /** Tells the events apart. */
  readonly type: 'tool-result'
  /** The id of the call. */
  readonly toolUseId: string
  /** What ended it. */
  readonly cause: Cause
  /** For the model: the block of the next user message. */
  readonly result: ToolResultBlock
  /** The tool's own output, for programs. */
  readonly output?: unknown
  /** Structured content and `_meta` of an MCP result, unchanged. */
  readonly mcpMeta?: JsonObject
  /** User messages that go behind all results of the turn. */
  readonly attached: readonly UserMessage[]
  /** For the user, not for the model (what hooks had to say). */
  readonly notices: readonly string[]
  /** A hook wants the query to end after this turn. */
  readonly stop?: { readonly reason: string }
  /** The call was denied; for the record of denials. */
  readonly denial?: {
    readonly toolName: string
    readonly input: JsonObject
    /** For the model. */
    readonly message: string
    /** What decided, for people; a host's check may not say. */
    readonly reason?: DecisionReason
  }
}

/** The context that a call's own is made from. */
export type BaseContext = Omit<ToolUseContext, 'abortController' | 'toolUseId'>

/** Everything an executor needs. */
export interface ExecutorOptions {
  /** What every call's context is made of; its `options.tools` are the tools. A plain object: its own fields are copied. */
  readonly context: BaseContext
  /** The query's controller: aborting it answers every open call. The executor aborts it for a call that aborts itself, and for a bare No. */
  readonly query: AbortController
  /** Decides whether a call may run. One that throws or answers nonsense denies. */
  readonly authorize: Authorize
  /** The hooks around a call. Those that throw or reject have no opinion, and the user is told. @default none */
  readonly hooks?: ToolHooks
  /** Keeps a result that is over its limit; the model gets a preview and the path. Absent: the result is cut. */
  readonly storeResult?: (toolUseId: string, text: string) => Promise<{ readonly path: string }>
  /** Most calls at once. The host may take it from the environment: what is no positive whole number counts as absent. @default 10 */
  readonly maxConcurrency?: number
  /** Whom a failing call that says so takes with it. @default 'effects' */
  readonly siblingPolicy?: 'effects' | 'all' | 'none'
  /**
   * Told of a call that is not read-only right before it begins; `message` is the message it stands in, as far as it is there. Resolves
   * when the call may begin; one for which it rejects does not run. @default nobody is told
   */
  readonly beforeEffects?: (toolUseId: string, message: AssistantMessage) => Promise<void>
  /** How long a call that was answered and still runs keeps its place, in milliseconds. @default 5_000 */
  readonly endGraceMs?: number
  /** Where times and timers come from; tests bring a virtual one. @default the process's, with timers that keep nothing alive */
  readonly clock?: Clock
  /** `settled` of the message before: until it resolves only read-only calls begin. */
  readonly after?: Promise<void>
  /** Names whose schema the model has not been sent; their input errors say so. */
  readonly isSchemaMissing?: (toolName: string) => boolean
  /** Further tools that answer to their aliases only: this turn's list leaves them out, but no rule took them away. */
  readonly unlistedTools?: readonly Tool[]
  /** A sentence put behind the user's rejections and interruptions, such as a hint to remember the correction. */
  readonly rejectionHint?: string
  /** Told whenever there may be something new to take, for a consumer that waits for other things too. One that throws is ignored. */
  readonly onReady?: () => void
  /** Hears every change of a call's state. One that throws is ignored. */
  readonly debug?: (record: DebugRecord) => void
}

/** The passing of time, as the executor sees it. */
export interface Clock {
  /** Milliseconds since some moment; never goes back. */
  now(): number
  /** Calls back once, `ms` later; returns what `clearTimeout` takes. */
  setTimeout(callback: () => void, ms: number): unknown
  /** Calls nothing back any more for this timer. */
  clearTimeout(timer: unknown): void
}

/** One change of a call's state. */
export interface DebugRecord {
  /** The id of the call. */
  readonly toolUseId: string
  /** Its tool, or the name that no tool has. */
  readonly toolName: string
  /** What it is now. `ended` comes only for a call that was answered before it ended. */
  readonly state: 'queued' | 'executing' | 'completed' | 'yielded' | 'ended'
  /** May run beside others that say so. */
  readonly isConcurrencySafe: boolean
  /** Ids of the calls that execute beside it. */
  readonly beside: readonly string[]
  /** The cause of an answer, or how a late end went. */
  readonly detail?: string
}

/** What both engines offer while calls run. */
export interface CallControl extends AsyncDisposable {
  /** Answers what has not begun, and what still arrives, with this text. */
  cancelQueued(message: string): void
  /** Cancels the unanswered calls whose tool says `cancel`; the others go on, queued ones too. */
  interrupt(): void
  /** Withdraws the message; returns the results that were not yielded: for the screen and the log, never for the history. */
  discard(): readonly ToolResultEvent[]
  /** A call that is not read-only has entered `call()`: the message must not be withdrawn any more. */
  readonly hasEffects: boolean
  /** The context with the modifiers applied so far. */
  readonly context: BaseContext
  /** Resolves when no further call comes, or none would run, and every call has ended or had its grace. Never rejects. */
  readonly settled: Promise<void>
}

/** Runs the calls of one assistant message. See the package's README for the rules. */
export interface StreamingToolExecutor extends CallControl {
  /** Takes a call in. Never waits, never throws. `inputError`: the input was no JSON, and why. */
  addTool(
    block: ToolUseBlock,
    parentMessage: AssistantMessage,
    options?: { readonly inputError?: string },
  ): void
  /** What is ready now. */
  getCompletedResults(): Iterable<ExecutorEvent>
  /** All that is still to come; no `addTool` after it. Ends when every call was yielded. One consumer. */
  getRemainingResults(): AsyncIterable<ExecutorEvent>
}

/** The calls of a message that was there as a whole. One consumer; leaving the iteration early discards what is open. */
export interface ToolRun extends CallControl, AsyncIterable<ExecutorEvent> {}
