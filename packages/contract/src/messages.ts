import type { ContentBlock } from './blocks.ts'

/** What the user, or a tool on their behalf, says. */
export interface UserMessage<Block = ContentBlock> {
  readonly role: 'user'
  readonly content: string | Block[]
}

/** What the model says. `id` is the service's id of the response. */
export interface AssistantMessage<Block = ContentBlock> {
  readonly role: 'assistant'
  readonly content: string | Block[]
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
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_creation_input_tokens: number | null
  readonly cache_read_input_tokens: number | null
}

/** Plain JSON data with string keys. */
export type JsonObject = { readonly [key: string]: unknown }

/** A JSON schema whose root is an object, as the Messages API wants it for a tool's input. */
export type InputJsonSchema = JsonObject & { readonly type: 'object' }
