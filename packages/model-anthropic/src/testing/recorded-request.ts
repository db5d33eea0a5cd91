import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '@x/contract'
import { isJsonObject } from '../json-object.ts'

/** A content block as it came over the wire. */
export type WireBlock = JsonObject & {
  /** Kind of the block. */
  readonly type: string
}

/** A message as it came over the wire. */
export interface WireMessage {
  /** `user` or `assistant`. */
  readonly role: string
  /** Text, or blocks. */
  readonly content: string | readonly WireBlock[]
}

/** The body of a request. Fields are as the client sent them; a strict server has checked them before a script sees them. */
export interface WireBody {
  /** Name of the model. */
  readonly model: string
  /** The output limit. */
  readonly max_tokens: number
  /** The conversation. */
  readonly messages: readonly WireMessage[]
  /** The system prompt. */
  readonly system?: string | readonly WireBlock[]
  /** The tools the model may call. */
  readonly tools?: readonly WireBlock[]
  /** Whether the answer is to be streamed. */
  readonly stream?: boolean
  readonly [key: string]: unknown
}

/** What the server knows of one request. It fills in the end while the response goes on. */
export interface RecordedRequest {
  /** Place in the order of arrival, from 0. */
  readonly index: number
  /** HTTP method. */
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** Port of the client: the same for requests that share a connection. */
  readonly clientPort: number
  /** Header fields in lower case; the values of those that carry credentials are replaced by `[secret]`. */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** The body's text as it came. */
  readonly text: string
  /** The body as a value; empty where it was no JSON. */
  readonly body: WireBody
  /** Time of arrival in `performance.now()` milliseconds, after the whole body had come. */
  readonly arrivedAt: number
  /** Time when the response ended or its connection closed; null while it goes on. */
  readonly endedAt: number | null
  /** HTTP status of the answer; null as long as none was sent. */
  readonly status: number | null
  /** The client closed the connection before the response was complete. */
  readonly isClosedByClient: boolean
  /** Resolves when the response has ended in any way. */
  readonly ended: Promise<void>
}

/** A tool's answer in the last user message. */
export interface SentToolResult {
  /** The `tool_use_id`. */
  readonly id: string
  /** Text parts, joined by newlines. */
  readonly text: string
  /** The tool reported a failure. */
  readonly isError: boolean
}

/** Lists the tool results in the last message of a request, in order. */
export function toolResults(request: RecordedRequest): readonly SentToolResult[] {
  return lastBlocks(request)
    .filter((block) => block.type === 'tool_result')
    .map((block) => ({
      id: String(block['tool_use_id']),
      text: plainText(block['content']),
      isError: block['is_error'] === true,
    }))
}

/** Gives the text of the last message of a request, without tool results. */
export function lastText(request: RecordedRequest): string {
  return plainText(lastBlocks(request))
}

function lastBlocks(request: RecordedRequest): readonly WireBlock[] {
  const content = request.body.messages.at(-1)?.content ?? []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function plainText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .filter((part: unknown) => isJsonObject(part))
    .filter((part) => part['type'] === 'text')
    .map((part) => String(part['text']))
    .join('\n')
}
