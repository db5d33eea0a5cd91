import type { JsonObject } from '@x/contract'

/** A block the scripted model writes, with what the server needs to stream it. */
export interface BlockStep {
  readonly kind: 'block'
  /** The block as `content_block_start` shows it, without id and without the parts that come in deltas. */
  readonly block: JsonObject
  /** Deltas in order; `field` is the name that carries the text. */
  readonly deltas: readonly { readonly type: string; readonly field: string; readonly text: string }[]
  /** The block never gets its `content_block_stop`. */
  readonly isOpen: boolean
}

/** One thing the scripted service does; a reply is a list of them. */
export type Step =
  | BlockStep
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'silence' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'ping' }
  | { readonly kind: 'event'; readonly name: string; readonly data: unknown }
  | { readonly kind: 'error'; readonly type: string; readonly message: string }
  | { readonly kind: 'stop'; readonly reason: string; readonly details?: JsonObject }

/** An answer other than a stream: a status and a body. */
export interface StatusReply {
  readonly kind: 'status'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A streamed answer. */
export interface MessageReply extends MessageOptions {
  readonly kind: 'message'
  readonly steps: readonly Step[]
}

/** What a streamed answer says of itself, and how it travels. */
export interface MessageOptions {
  /** @default `msg_0001` and so on, counted by the server */
  readonly id?: string
  /** @default the model of the request */
  readonly model?: string
  /** Overrides single token counts; the rest is estimated from the lengths of request and answer. */
  readonly usage?: Readonly<Record<string, number>>
  /** Milliseconds between two events. @default the server's `eventDelayMs` */
  readonly eventDelayMs?: number
  /** The answer ends after `message_delta`. @default false */
  readonly omitMessageStop?: boolean
}

/** What the server answers to one request. A single step or a list of steps is a message. */
export type Reply = StatusReply | MessageReply | Step | readonly Step[]

/** Options of `toolUse`. */
export interface ToolUseOptions {
  /** @default `toolu_0001` and so on, counted by the server */
  readonly id?: string
  /** Raw text of the input instead of the JSON of `input`: for inputs that are cut or broken. */
  readonly json?: string
  /** The block never ends. @default false */
  readonly isOpen?: boolean
}

/** Writes text. */
export function text(text: string, options?: { readonly isOpen?: boolean }): BlockStep {
  return {
    kind: 'block',
    block: { type: 'text', text: '' },
    deltas: [{ type: 'text_delta', field: 'text', text }],
    isOpen: options?.isOpen ?? false,
  }
}

/** Calls a tool. The input travels as JSON text in small pieces. */
export function toolUse(name: string, input: unknown = {}, options: ToolUseOptions = {}): BlockStep {
  return {
    kind: 'block',
    block: { type: 'tool_use', ...(options.id === undefined ? {} : { id: options.id }), name, input: {} },
    deltas: [
      { type: 'input_json_delta', field: 'partial_json', text: options.json ?? JSON.stringify(input) },
    ],
    isOpen: options.isOpen ?? false,
  }
}

/** Thinks aloud. Without a signature the server signs the text, and later refuses it if it comes back altered. */
export function thinking(thought: string, options?: { readonly signature?: string }): BlockStep {
  return {
    kind: 'block',
    block: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      { type: 'thinking_delta', field: 'thinking', text: thought },
      { type: 'signature_delta', field: 'signature', text: options?.signature ?? '' },
    ],
    isOpen: false,
  }
}

/** Thinks in secret: a `redacted_thinking` block. */
export function redacted(data: string): BlockStep {
  return { kind: 'block', block: { type: 'redacted_thinking', data }, deltas: [], isOpen: false }
}

/** Any other block, sent whole in `content_block_start`. */
export function block(block: JsonObject & { readonly type: string }): BlockStep {
  return { kind: 'block', block, deltas: [], isOpen: false }
}

/** Waits before what follows. */
export function delay(ms: number): Step {
  return { kind: 'delay', ms }
}

/** Stays silent with the connection open, until the client or the server closes. As first step: before the headers. */
export function silence(): Step {
  return { kind: 'silence' }
}

/** Destroys the connection. As first step: before the headers. */
export function cut(): Step {
  return { kind: 'cut' }
}

/** Sends a `ping` event. */
export function ping(): Step {
  return { kind: 'ping' }
}

/** Sends any event, known or not. A string is sent as it is, everything else as JSON. */
export function event(name: string, data: unknown): Step {
  return { kind: 'event', name, data }
}

/** Sends an `error` event in the stream and ends it, as the service does after it has answered 200. */
export function error(type = 'overloaded_error', message = 'Overloaded'): Step {
  return { kind: 'error', type, message }
}

/** Ends the message with this stop reason. Without it: `tool_use` after a tool call, else `end_turn`. */
export function stop(reason: string, details?: JsonObject): Step {
  return { kind: 'stop', reason, ...(details === undefined ? {} : { details }) }
}

/** A streamed answer with options; a bare list of steps is the same without. */
export function message(steps: readonly Step[], options: MessageOptions = {}): MessageReply {
  return { kind: 'message', steps, ...options }
}
