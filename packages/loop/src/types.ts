import type {
  AssistantMessage,
  Authorize,
  EffortLevel,
  HistoryLog,
  HookOutcome,
  Message,
  Model,
  SessionRecord,
  TerminalReason,
  TextBlock,
  Tool,
  ToolResultBlock,
  ToolUseBlock,
  Usage,
  UserMessage,
} from '@x/contract'
import type { BaseContext, Clock, ExecutorOptions } from '@x/executor'
import type { Compact } from './compact/port.ts'
import type { Meter } from './meter.ts'
import type { PriceTable } from './prices.ts'
import type { ToolDefinitions } from './tool-definitions.ts'

/** What a query hands on to the executor of each of its messages. */
export type ExecutorSettings = Pick<
  ExecutorOptions,
  | 'hooks'
  | 'storeResult'
  | 'maxConcurrency'
  | 'siblingPolicy'
  | 'endGraceMs'
  | 'isSchemaMissing'
  | 'unlistedTools'
  | 'rejectionHint'
  | 'debug'
>

/** What one query is made of. Required: who is asked, what is said, with what, and who may stop it. */
export interface QueryOptions extends ExecutorSettings {
  /** The endpoint. */
  readonly model: Model
  /** The model that is asked first, in every turn. */
  readonly modelName: string
  /** Asked in this order, for one turn, when the model before is overloaded, gone, failing or refuses. At most three. @default [] */
  readonly fallbackModels?: readonly string[]
  /** The system prompt; byte-equal in every request. @default [] */
  readonly system?: readonly TextBlock[]
  /** What was said before this query, already logged. A hole in it is repaired before the first request. @default [] */
  readonly messages?: readonly Message[]
  /**
   * What the model said last, behind `messages`: logged already, its calls unanswered. They run first, with hooks and rules, and the query
   * goes on with their results. Where a tool of theirs is gone they stay open, and the query ends. @default nothing is open
   */
  readonly pendingMessage?: AssistantMessage
  /** What starts the query; comes behind the results of `pendingMessage`. */
  readonly prompt: readonly UserMessage[]
  /** The tools of the next turn; asked once a turn. A throw ends the query with an error. @default none */
  readonly tools?: () => readonly Tool[]
  /** What the calls' contexts are made from. `messages`, `options.tools` and `options.model` are set anew each turn. */
  readonly context: BaseContext
  /** Decides whether a call may run. */
  readonly authorize: Authorize
  /** Where the history is written: before each request what it adds, at the end the rest. A rejection ends the query. */
  readonly history: HistoryLog
  /** The query's own: aborting it ends the query; a rejected permission aborts it. */
  readonly controller: AbortController
  /** Calls start while the message streams, or when it is complete. @default 'streaming' */
  readonly engine?: 'streaming' | 'batch'
  /** Where the query stops by itself. @default no limits */
  readonly limits?: QueryLimits
  /** Prices by model name. @default builtInPrices */
  readonly prices?: PriceTable
  /** How often a request is sent again. */
  readonly retry?: RetryOptions
  /** Counts what this query and others spend together: `maxBudgetUsd` is about all of it, and the result tells it. @default this query alone */
  readonly total?: Meter
  /** Most tokens of one answer. @default the model's own limit */
  readonly maxOutputTokens?: number
  /** How thorough the answers are, in every request. @default the endpoint's */
  readonly effort?: EffortLevel
  /** Called after the model's output, one by one, each awaited while the calls go on. A throw is reported. @default [] */
  readonly postSampling?: readonly PostSampling[]
  /** Called when all calls of a message have their results, before the next request. A throw is reported. @default nobody */
  readonly afterCalls?: AfterCalls
  /** Called one by one when the model has finished; one may send it on. A throw is reported. @default [] */
  readonly stopHooks?: readonly StopHook[]
  /** How often in a row stop hooks may send the model on; 0: without end. A turn with calls starts the count anew. @default 8 */
  readonly maxStopHookBlocks?: number
  /** What waits to be heard: joins the conversation behind the results of a turn. Must not throw. @default nothing */
  readonly pendingMessages?: () => readonly UserMessage[]
  /** Makes a shorter history: `createCompactor`. Absent: a history that is too long ends the query. */
  readonly compact?: Compact
  /** The part of the window that may be full before `compact` is called. From above 0 to 1. @default 0.9 */
  readonly compactThreshold?: number
  /** Shared by the queries of a session, so that a tool keeps its place in all of them: `createToolDefinitions`. @default the query's own */
  readonly toolDefinitions?: ToolDefinitions
  /** Yield the raw events of the model's stream too. @default false */
  readonly includePartialMessages?: boolean
  /** The Agent call this query belongs to. @default null */
  readonly parentToolUseId?: string | null
  /** Time, for durations, grace and the waits between retries. @default the system's */
  readonly clock?: Clock
  /** From 0 to below 1, for the jitter of the waits. @default Math.random */
  readonly random?: () => number
}

/** Where a query stops by itself. */
export interface QueryLimits {
  /** Turns that may use tools; calls of a further one do not run. */
  readonly maxTurns?: number
  /** US dollars; checked before each request. Every model of the query needs a price. */
  readonly maxBudgetUsd?: number
  /** Tokens of all requests and answers together, cached ones included; checked before each request. */
  readonly maxTokens?: number
}

/** How often, and after how long, a request is sent again. */
export interface RetryOptions {
  /** From 0 to 15. @default 10 */
  readonly maxRetries?: number
  /** The first wait, in milliseconds; each further one is twice as long. @default 500 */
  readonly baseDelayMs?: number
  /** The longest wait of our own, in milliseconds; the service may ask for more. @default 32_000 */
  readonly maxDelayMs?: number
}

/** What callbacks are told of the conversation. */
export interface SamplingView {
  /** The conversation up to and without `message`. */
  readonly messages: readonly Message[]
  /** What the model just said; absent if that was nothing. */
  readonly message?: AssistantMessage
  /** The query's. */
  readonly signal: AbortSignal
}

/** Called after the model's output. */
export type PostSampling = (view: SamplingView) => void | Promise<void>

/** One call of a message, answered. */
export interface AnsweredCall {
  /** The call as it stands in the history. */
  readonly call: ToolUseBlock
  /** Its one result. */
  readonly result: ToolResultBlock
}

/** What is told when all calls of a message are answered. */
export interface CallsView extends SamplingView {
  /** The calls, in their order. */
  readonly calls: readonly AnsweredCall[]
}

/**
 * Called when all calls of a message have their results. `context` goes to the model with them; `stop` and `blockingError` end the
 * query, and their text stays in the conversation; `notices` are shown.
 */
export type AfterCalls = (view: CallsView) => undefined | HookOutcome | Promise<HookOutcome | undefined>

/** What stop hooks are told. */
export interface StopView extends SamplingView {
  /** The text of the last message. */
  readonly lastText: string
  /** The model goes on because of a stop hook already. */
  readonly isActive: boolean
}

/**
 * Called when the model has finished. `blockingError` and `context` go to the model, which then goes on; `stop` ends the query
 * for good; `notices` are shown.
 */
export type StopHook = (view: StopView) => undefined | HookOutcome | Promise<HookOutcome | undefined>

/** A running query: its records, and at the end what came of it. Iterate it once. */
export interface Query extends AsyncGenerator<SessionRecord, QueryEnd, undefined> {
  /** Cancels the running calls whose tool says so; everything else goes on. For a message that should be heard now. */
  interrupt(): void
  /** Resolves when every call that has begun so far has really ended, or its grace is over. */
  settled(): Promise<void>
}

/** What came of a query. */
export interface QueryEnd {
  /** Why it ended. */
  readonly reason: TerminalReason
  /** The conversation as it stands now: valid, and all of it logged. */
  readonly messages: readonly Message[]
  /** What this query added: the end of `messages`, or all of it after a compaction. */
  readonly added: readonly Message[]
  /** The context with the changes that calls made to it (the working folder). */
  readonly context: BaseContext
  /** Tokens of all its requests, withdrawn messages included. */
  readonly usage: Usage
  /** What they cost, in US dollars; nothing where a model has no price. */
  readonly costUsd: number
  /** Model messages that were kept. */
  readonly turns: number
  /** Tokens that the last request and its answer took of the window; 0 where there was none. */
  readonly contextTokens: number
  /** Resolves when the last call has really ended, or its grace is over. */
  readonly settled: Promise<void>
}
