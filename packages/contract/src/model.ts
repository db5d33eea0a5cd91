import type { ContentBlock, TextBlock } from './blocks.ts'
import type { InputJsonSchema, Message, StopReason, Usage } from './messages.ts'

/** A tool as the model is told of it. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly input_schema: InputJsonSchema
}

/** One request: a function of the transcript, nothing else. */
export interface ModelRequest {
  readonly model: string
  readonly system: readonly TextBlock[]
  readonly tools: readonly ToolDefinition[]
  readonly messages: readonly Message[]
  /** @default the model's own limit */
  readonly maxOutputTokens?: number
  readonly signal: AbortSignal
}

/**
 * What one attempt sends. `raw` is the service's own event where there is one.
 *
 * `block-end` carries the input parsed from the whole text of the block; where that text is no JSON object, `inputError` says why
 * and `input` is `{}`: such a call is answered with an error and never runs. Nothing is repaired. A block that was cut off has no `block-end`.
 */
export type ModelEvent = { readonly raw?: unknown } & (
  | { readonly type: 'message-start'; readonly id: string; readonly model: string; readonly usage: Usage }
  | { readonly type: 'block-start'; readonly index: number; readonly blockType: string }
  | { readonly type: 'block-delta'; readonly index: number; readonly text?: string }
  | {
      readonly type: 'block-end'
      readonly index: number
      readonly block: ContentBlock
      readonly inputError?: string
    }
  | {
      readonly type: 'message-end'
      readonly stopReason: StopReason
      readonly usage: Usage
      /** Why the service refused, where it says so. */
      readonly refusal?: string
    }
  | { readonly type: 'other' }
)

/**
 * One language model endpoint. `stream` makes ONE attempt: it retries nothing and repairs nothing; the loop decides about
 * retries and fallbacks. It rejects with a `ModelError`, or with `request.signal.reason` after an abort.
 */
export interface Model {
  /** Tokens that fit into one request and its answer. */
  contextWindow(model: string): number
  stream(request: ModelRequest): AsyncIterable<ModelEvent>
}
