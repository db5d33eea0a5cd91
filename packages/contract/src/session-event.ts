import type { AssistantMessage, JsonObject, Usage, UserMessage } from './messages.ts'

/** What every event carries: which session, which event. */
export interface EventStamp {
  /** Which session. */
  readonly session_id: string
  /** Names this event everywhere. */
  readonly uuid: string
  /** Position in the session: 0, 1, 2 ... without gaps, stable over resume. */
  readonly sequence: number
}

/** Which Agent call the event belongs to; null in the main session. */
export interface EventPlace {
  /** Id of the Agent call whose agent speaks; null in the main session. */
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
  /** Names the kind of event. */
  readonly type: 'assistant'
  /** The message as the service sent it, or a part of its blocks. */
  readonly message: AssistantMessage & {
    /** The model that wrote it. */
    readonly model?: string
    /** Token counts of the request so far. */
    readonly usage?: Usage
    /** Why the model stopped; null while it had not. */
    readonly stop_reason?: string | null
  }
  /** The request behind the message failed in this way. */
  readonly error?: ApiErrorName
  /** The message was cut off. */
  readonly aborted?: true
  /** The service's id of the request that it answers, where it tells one. */
  readonly request_id?: string
  /** What a hook wants shown in place of its text; the conversation keeps the text. */
  readonly display_content?: string
}

/** A user message: a prompt, or the result of a call. */
export interface UserRecord extends EventPlace {
  /** Names the kind of event. */
  readonly type: 'user'
  /** The message as it stands in the history. */
  readonly message: UserMessage
  /** The structured output of the tool, for programs. */
  readonly tool_use_result?: unknown
  /** Structured content and `_meta` of an MCP result. */
  readonly mcp_meta?: JsonObject
  /** Made by the program, not typed by a person. @default false */
  readonly isSynthetic?: boolean
  /** Repeats what the client sent. @default false */
  readonly isReplay?: boolean
}

/** A raw event of the model's stream; only when partial messages were asked for. */
export interface StreamEventRecord extends EventPlace {
  /** Names the kind of event. */
  readonly type: 'stream_event'
  /** The service's own event, unchanged. */
  readonly event: unknown
  /** Time to the first token, in milliseconds; on the first event of a message. */
  readonly ttft_ms?: number
}

/** A call began (`started`), reported progress, or ended; not part of the history. */
export interface ToolProgressRecord extends EventPlace {
  /** Names the kind of event. */
  readonly type: 'tool_progress'
  /** The call. */
  readonly tool_use_id: string
  /** The tool, by its main name. */
  readonly tool_name: string
  /** Since the call began. */
  readonly elapsed_time_seconds: number
  /** What happened. Absent: progress. */
  readonly phase?: 'start' | 'progress' | 'end'
  /** How the call ended (the executor's cause). */
  readonly cause?: string
  /** What the tool reported. */
  readonly data?: unknown
  /** Nothing happened but that time went on. */
  readonly heartbeat?: true
  /** The type of the agent whose call it is, or that the call has started. */
  readonly subagent_type?: string
  /** The model of the agent that the call has started is asked again, as an `api_retry` tells it. */
  readonly subagent_retry?: JsonObject
}

/** Everything of type `system`; `subtype` names it (`init`, `api_retry`, `permission_denied`, `task_notification` ...). */
export interface SystemRecord extends JsonObject {
  /** Names the kind of event. */
  readonly type: 'system'
  /** Tells the system events apart. */
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
  | 'rapid_refill_breaker'
  | 'tool_deferred'
  | 'tool_deferred_unavailable'

/** What one model did and cost. */
export interface ModelUsage {
  /** Read and not from the cache. */
  readonly inputTokens: number
  /** Written, thoughts included. */
  readonly outputTokens: number
  /** Read from the cache. */
  readonly cacheReadInputTokens: number
  /** Written to the cache. */
  readonly cacheCreationInputTokens: number
  /** Searches made by the service. */
  readonly webSearchRequests: number
  /** In US dollars. */
  readonly costUSD: number
  /** Tokens that fit into one request and its answer. */
  readonly contextWindow: number
  /** Most tokens of one answer. */
  readonly maxOutputTokens: number
}

/** A call that was not permitted. */
export interface PermissionDenial {
  /** The tool that was called. */
  readonly tool_name: string
  /** The call. */
  readonly tool_use_id: string
  /** The input that was refused. */
  readonly tool_input: JsonObject
}

/** A call that a hook put off: it stays open until the session goes on. */
export interface DeferredToolUse {
  /** The call. */
  readonly id: string
  /** The tool that is called. */
  readonly name: string
  /** As the model gave it. */
  readonly input: unknown
}

/** The last record of a query. An API failure is `success` with `is_error: true`. */
export interface ResultRecord {
  /** Names the kind of event. */
  readonly type: 'result'
  /** How the query ended, coarsely. */
  readonly subtype: 'success' | 'error_max_turns' | 'error_during_execution' | 'error_max_budget_usd'
  /** The query failed; also where `subtype` is `success`. */
  readonly is_error: boolean
  /** From the prompt to this record, in milliseconds. */
  readonly duration_ms: number
  /** Spent waiting for the model, in milliseconds. */
  readonly duration_api_ms: number
  /** Number of requests whose answer counted. */
  readonly num_turns: number
  /** The final text; only with `success`. */
  readonly result?: string
  /** Only with an error subtype. */
  readonly errors?: readonly string[]
  /** Why the model stopped the last time; `tool_deferred` where a hook put its call off. */
  readonly stop_reason: string | null
  /** How the query ended, exactly. */
  readonly terminal_reason: TerminalReason
  /** In US dollars, agents included. */
  readonly total_cost_usd: number
  /** Token counts of the main session's model. */
  readonly usage: Usage
  /** Counts and cost by model, agents included. */
  readonly modelUsage: Readonly<Record<string, ModelUsage>>
  /** Calls that were not permitted, in order. */
  readonly permission_denials: readonly PermissionDenial[]
  /** HTTP status of the failure that ended the query. */
  readonly api_error_status?: number | null
  /** The call that is open, where the query ended because of it. */
  readonly deferred_tool_use?: DeferredToolUse
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
