import type {
  EffortLevel,
  Message,
  SessionRecord,
  TextBlock,
  ToolDefinition,
  ToolUseBlock,
  Usage,
} from '@x/contract'

/** Why a history is compacted: before the window is full, after a request or an answer met its end, or because the user asked. */
export type CompactReason = 'near-limit' | 'prompt-too-long' | 'cut-off' | 'manual'

/**
 * Makes a shorter history. Yields records as things happen; what it returns is not logged before `commit`.
 *
 * A throw counts as a failure. After an abort nobody waits for it any more.
 */
export type Compact = (
  messages: readonly Message[],
  options: CompactOptions,
) => AsyncGenerator<SessionRecord, CompactOutcome, undefined>

/** Why a history is compacted, and the request it belongs to: with the same prefix, the service's cache of it counts. */
export interface CompactOptions {
  /** Why it has to be shorter. */
  readonly reason: CompactReason
  /** The query's. */
  readonly signal: AbortSignal
  /** The model of the conversation. */
  readonly modelName: string
  /** The system prompt of the conversation. @default [] */
  readonly system?: readonly TextBlock[]
  /** The tools of the conversation. @default [] */
  readonly tools?: readonly ToolDefinition[]
  /** Most tokens of one answer of the conversation. @default the model's own limit */
  readonly maxOutputTokens?: number
  /** How thorough the answers of the conversation are. @default the endpoint's */
  readonly effort?: EffortLevel
  /** Tokens of the context now, system prompt and tools included. @default an estimate */
  readonly contextTokens?: number
  /** Tokens of context at which the history has to become shorter. @default 90 % of the window */
  readonly limitTokens?: number
  /** Tells whether a call may simply be made again, so that its old result can go. @default nothing can */
  readonly isRepeatable?: (call: ToolUseBlock) => boolean
  /** What the user wants of the summary. */
  readonly instructions?: string
  /** The Agent call this history belongs to. @default null */
  readonly parentToolUseId?: string | null
  /** Hears of every request that was paid for. */
  readonly onUsage?: (modelName: string, usage: Usage) => void
}

/** What came of it. */
export type CompactOutcome = ShorterHistory | UnchangedHistory

/** A shorter history that is valid, and not in place yet. */
export interface ShorterHistory {
  /** Names the outcome. */
  readonly type: 'shorter'
  /** The history that takes the place of the old one. */
  readonly messages: readonly Message[]
  /**
   * Logs it and gives the records that tell of it; called once, and then the history is in place. A rejection: it is not logged,
   * and the old one stays.
   */
  commit(): Promise<readonly SessionRecord[]>
}

/** The history stays as it was. */
export interface UnchangedHistory {
  /** Names the outcome. */
  readonly type: 'unchanged'
  /** Switched off, blocked by a hook, nothing that could be shorter, tried in vain, or aborted. */
  readonly cause: 'off' | 'blocked' | 'empty' | 'failed' | 'aborted'
  /** Why, for the user. */
  readonly message: string
}
