import type { JsonObject } from '@x/contract'

/** A piece of a block that travels in deltas. */
export interface BlockDelta {
  /** Name of the delta, such as `text_delta`. */
  readonly type: string
  /** The field that carries the text. */
  readonly field: string
  /** The whole text; the server cuts it into pieces. */
  readonly text: string
}

/** A block the scripted model writes, with what the server needs to stream it. */
export interface BlockStep {
  /** Tells a block from other steps. */
  readonly kind: 'block'
  /** The block as `content_block_start` shows it, without id and without the parts that come in deltas. */
  readonly block: JsonObject
  /** What follows the start, in order. */
  readonly deltas: readonly BlockDelta[]
  /** The block never gets its `content_block_stop`. */
  readonly isOpen: boolean
}

/** A wait before the next step. */
export interface DelayStep {
  /** Tells a wait from other steps. */
  readonly kind: 'delay'
  /** Milliseconds. */
  readonly ms: number
}

/** A step without details: silence for ever, a destroyed connection, or a ping. */
export interface BareStep {
  /** What happens. */
  readonly kind: 'silence' | 'cut' | 'ping'
}

/** Any event, known or not. */
export interface EventStep {
  /** Tells an event from other steps. */
  readonly kind: 'event'
  /** Name of the event. */
  readonly name: string
  /** Its data: a string is sent as it is, everything else as JSON. */
  readonly data: unknown
}

/** An error inside the stream. */
export interface ErrorStep {
  /** Tells an error from other steps. */
  readonly kind: 'error'
  /** The service's name for it, such as `overloaded_error`. */
  readonly type: string
  /** The service's words. */
  readonly message: string
}

/** The stop reason of the message. */
export interface StopStep {
  /** Tells a stop reason from other steps. */
  readonly kind: 'stop'
  /** As the service names it. */
  readonly reason: string
  /** What `stop_details` says. @default null */
  readonly details?: JsonObject
}

/** One thing the scripted service does; a reply is a list of them. */
export type Step = BlockStep | DelayStep | BareStep | EventStep | ErrorStep | StopStep

/** An answer other than a stream: a status and a body. */
export interface StatusReply {
  /** Tells a status from a message. */
  readonly kind: 'status'
  /** HTTP status. */
  readonly status: number
  /** Header fields. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as it is sent. */
  readonly body: string
}

/** A streamed answer. */
export interface MessageReply extends MessageOptions {
  /** Tells a message from a status. */
  readonly kind: 'message'
  /** What happens, in order. */
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
export function delay(ms: number): DelayStep {
  return { kind: 'delay', ms }
}

/** Stays silent with the connection open, until the client or the server closes. As first step: before the headers. */
export function silence(): BareStep {
  return { kind: 'silence' }
}

/** Destroys the connection. As first step: before the headers. */
export function cut(): BareStep {
  return { kind: 'cut' }
}

/** Sends a `ping` event. */
export function ping(): BareStep {
  return { kind: 'ping' }
}

/** Sends any event, known or not. A string is sent as it is, everything else as JSON. */
export function event(name: string, data: unknown): EventStep {
  return { kind: 'event', name, data }
}

/** Sends an `error` event in the stream and ends it, as the service does after it has answered 200. */
export function error(type = 'overloaded_error', message = 'Overloaded'): ErrorStep {
  return { kind: 'error', type, message }
}

/** Ends the message with this stop reason. Without it: `tool_use` after a tool call, else `end_turn`. */
export function stop(reason: string, details?: JsonObject): StopStep {
  return { kind: 'stop', reason, ...(details === undefined ? {} : { details }) }
}

/** A streamed answer with options; a bare list of steps is the same without. */
export function message(steps: readonly Step[], options: MessageOptions = {}): MessageReply {
  return { kind: 'message', steps, ...options }
}
