import type { ContentBlock, TextBlock } from './blocks.ts'
import type { EffortLevel } from './effort.ts'
import type { InputJsonSchema, Message, StopReason, Usage } from './messages.ts'

/** A tool as the model is told of it. */
export interface ToolDefinition {
  /** The name the model calls it by. */
  readonly name: string
  /** When to use it, and when not. */
  readonly description: string
  /** JSON schema of the input. */
  readonly input_schema: InputJsonSchema
}

/** One request: a function of the transcript, nothing else. */
export interface ModelRequest {
  /** The model, as the service names it. */
  readonly model: string
  /** The system prompt; byte-identical from turn to turn. */
  readonly system: readonly TextBlock[]
  /** The tools on offer; byte-identical from turn to turn. */
  readonly tools: readonly ToolDefinition[]
  /** The whole history, without faults. */
  readonly messages: readonly Message[]
  /** @default the model's own limit */
  readonly maxOutputTokens?: number
  /** How thorough the answer is; an endpoint asks its model for the most that it knows of it, or not at all. @default the endpoint's */
  readonly effort?: EffortLevel
  /** Ends the attempt; the stream then rejects with its reason. */
  readonly signal: AbortSignal
}

/**
 * What one attempt sends. `raw` is the service's own event where there is one.
 *
 * `block-end` carries the input parsed from the whole text of the block; where that text is no JSON object, `inputError` says why
 * and `input` is `{}`: such a call is answered with an error and never runs. Nothing is repaired. A block that was cut off has no `block-end`.
 */
export type ModelEvent =
  | MessageStartEvent
  | BlockStartEvent
  | BlockDeltaEvent
  | BlockEndEvent
  | MessageEndEvent
  | OtherModelEvent

/** What every event may carry. */
export interface RawModelEvent {
  /** The service's own event, for those who asked for partial messages. */
  readonly raw?: unknown
}

/** The answer begins. */
export interface MessageStartEvent extends RawModelEvent {
  /** Names the kind of event. */
  readonly type: 'message-start'
  /** The service's id of the answer. */
  readonly id: string
  /** The model that answers. */
  readonly model: string
  /** The service's id of the request, where it tells one. */
  readonly requestId?: string
  /** What is known of the cost so far. */
  readonly usage: Usage
}

/** A block begins. */
export interface BlockStartEvent extends RawModelEvent {
  /** Names the kind of event. */
  readonly type: 'block-start'
  /** Position of the block in the answer. */
  readonly index: number
  /** The `type` of the block. */
  readonly blockType: string
}

/** A block goes on. */
export interface BlockDeltaEvent extends RawModelEvent {
  /** Names the kind of event. */
  readonly type: 'block-delta'
  /** Position of the block in the answer. */
  readonly index: number
  /** More of the words of a text block; absent for other blocks. */
  readonly text?: string
}

/** A block is complete. */
export interface BlockEndEvent extends RawModelEvent {
  /** Names the kind of event. */
  readonly type: 'block-end'
  /** Position of the block in the answer. */
  readonly index: number
  /** The whole block. */
  readonly block: ContentBlock
  /** Why the text of a call's input is no JSON object; the call must not run. */
  readonly inputError?: string
}

/** The answer is complete. */
export interface MessageEndEvent extends RawModelEvent {
  /** Names the kind of event. */
  readonly type: 'message-end'
  /** Why the model stopped. */
  readonly stopReason: StopReason
  /** The token counts of the whole answer. */
  readonly usage: Usage
  /** Why the service refused, where it says so. */
  readonly refusal?: string
}

/** Anything else that shows that the stream is alive. */
export interface OtherModelEvent extends RawModelEvent {
  /** Names the kind of event. */
  readonly type: 'other'
}

/**
 * One language model endpoint. `stream` makes ONE attempt: it retries nothing and repairs nothing; the loop decides about
 * retries and fallbacks. It rejects with a `ModelError`, or with `request.signal.reason` after an abort.
 */
export interface Model {
  /** Tokens that fit into one request and its answer. */
  contextWindow(model: string): number
  /** Tokens one answer may have where the request names no limit. @default not known: 0 in what is told about usage */
  maxOutputTokens?(model: string): number
  /** Makes one attempt and yields what comes, as it comes. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>
}
