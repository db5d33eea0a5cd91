import type { AssistantMessage, JsonObject, Usage, UserMessage } from './messages.ts'

/** What every event carries: which session, which event. */
export interface EventStamp {
  readonly session_id: string
  readonly uuid: string
  /** Position in the session: 0, 1, 2 ... without gaps, stable over resume. */
  readonly sequence: number
}

/** Which Agent call the event belongs to; null in the main session. */
export interface EventPlace {
  readonly parent_tool_use_id: string | null
}

/** The error names of `assistant` and `api_retry` records. */
export type ApiErrorName =
  | 'authentication_failed'
  | 'oauth_org_not_allowed'
  | 'billing_error'
  | 'rate_limit'
  | 'overloaded'
  | 'invalid_request'
  | 'model_not_found'
  | 'server_error'
  | 'max_output_tokens'
  | 'unknown'

/** One or more complete blocks of a model message; several records of one message share `message.id`. */
export interface AssistantRecord extends EventPlace {
  readonly type: 'assistant'
  readonly message: AssistantMessage & {
    readonly model?: string
    readonly usage?: Usage
    readonly stop_reason?: string | null
  }
  readonly error?: ApiErrorName
  readonly aborted?: true
}

/** A user message: a prompt, or the result of a call. */
export interface UserRecord extends EventPlace {
  readonly type: 'user'
  readonly message: UserMessage
  /** The structured output of the tool, for programs. */
  readonly tool_use_result?: unknown
  readonly mcp_meta?: JsonObject
  readonly isSynthetic?: boolean
  readonly isReplay?: boolean
}

/** A raw event of the model's stream; only when partial messages were asked for. */
export interface StreamEventRecord extends EventPlace {
  readonly type: 'stream_event'
  readonly event: unknown
  readonly ttft_ms?: number
}

/** A call began (`started`), reported progress, or ended; not part of the history. */
export interface ToolProgressRecord extends EventPlace {
  readonly type: 'tool_progress'
  readonly tool_use_id: string
  readonly tool_name: string
  readonly elapsed_time_seconds: number
  /** What happened. Absent: progress. */
  readonly phase?: 'start' | 'progress' | 'end'
  /** How the call ended (the executor's cause). */
  readonly cause?: string
  readonly data?: unknown
  readonly heartbeat?: true
}

/** Everything of type `system`; `subtype` names it (`init`, `api_retry`, `permission_denied`, `task_notification` ...). */
export interface SystemRecord extends JsonObject {
  readonly type: 'system'
  readonly subtype: string
}

/** Why the query ended. */
export type TerminalReason =
  | 'completed'
  | 'max_turns'
  | 'aborted_streaming'
  | 'aborted_tools'
  | 'hook_stopped'
  | 'stop_hook_prevented'
  | 'prompt_too_long'
  | 'model_error'
  | 'api_error'
  | 'budget_exhausted'
  | 'blocking_limit'

/** What one model did and cost. */
export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadInputTokens: number
  readonly cacheCreationInputTokens: number
  readonly webSearchRequests: number
  readonly costUSD: number
  readonly contextWindow: number
  readonly maxOutputTokens: number
}

/** A call that was not permitted. */
export interface PermissionDenial {
  readonly tool_name: string
  readonly tool_use_id: string
  readonly tool_input: JsonObject
}

/** The last record of a query. An API failure is `success` with `is_error: true`. */
export interface ResultRecord {
  readonly type: 'result'
  readonly subtype: 'success' | 'error_max_turns' | 'error_during_execution' | 'error_max_budget_usd'
  readonly is_error: boolean
  readonly duration_ms: number
  readonly duration_api_ms: number
  readonly num_turns: number
  /** The final text; only with `success`. */
  readonly result?: string
  /** Only with an error subtype. */
  readonly errors?: readonly string[]
  readonly stop_reason: string | null
  readonly terminal_reason: TerminalReason
  readonly total_cost_usd: number
  readonly usage: Usage
  readonly modelUsage: Readonly<Record<string, ModelUsage>>
  readonly permission_denials: readonly PermissionDenial[]
  readonly api_error_status?: number | null
}

/** An event before its session stamps it. */
export type SessionRecord =
  | AssistantRecord
  | UserRecord
  | StreamEventRecord
  | ToolProgressRecord
  | SystemRecord
  | ResultRecord

/** The one event vocabulary: what `query()` yields, the CLI prints as stream-json and the server sends. */
export type SessionEvent = SessionRecord & EventStamp
