import type { ContentBlock } from './blocks.ts'

/** What the user, or a tool on their behalf, says. */
export interface UserMessage<Block = ContentBlock> {
  /** Names the speaker. */
  readonly role: 'user'
  /** A text, or blocks: results of calls first, in the order of the calls. */
  readonly content: string | Block[]
}

/** What the model says. `id` is the service's id of the response. */
export interface AssistantMessage<Block = ContentBlock> {
  /** Names the speaker. */
  readonly role: 'assistant'
  /** A text, or blocks in the order in which the model wrote them. */
  readonly content: string | Block[]
  /** The service's id of the response; not sent back. */
  readonly id?: string
}

/** One entry of a conversation. */
export type Message<Block = ContentBlock> = UserMessage<Block> | AssistantMessage<Block>

/** Why the model stopped, as the Messages API names it. */
export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded'

/** Token counts of one response; in the stream they are cumulative. */
export interface Usage {
  /** Read by the model and not from the cache. */
  readonly input_tokens: number
  /** Written by the model, thoughts included. */
  readonly output_tokens: number
  /** Written to the cache; null where the service does not say. */
  readonly cache_creation_input_tokens: number | null
  /** Read from the cache; null where the service does not say. */
  readonly cache_read_input_tokens: number | null
}

/** Plain JSON data with string keys. */
export type JsonObject = { readonly [key: string]: unknown }

/** A JSON schema whose root is an object, as the Messages API wants it for a tool's input. */
export interface InputJsonSchema extends JsonObject {
  /** The root is an object. */
  readonly type: 'object'
}
