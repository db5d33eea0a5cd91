import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { RecordedRequest, WireBody } from './recorded-request.ts'

/** A request's body as text and value; `fault` says why it has none. */
export interface ReadBody {
  readonly text: string
  readonly body: WireBody
  readonly fault: string | null
}

/** A record that is still being filled in. */
export interface OpenRecord {
  readonly record: RecordedRequest
  /** Aborts when the response has ended or its connection is gone. */
  readonly signal: AbortSignal
  /** Says that what closes the connection now is this side. */
  readonly markCut: () => void
}

/** Reads a whole body and parses it. Never rejects for what is in it. */
export async function readBody(request: IncomingMessage): Promise<ReadBody> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  let text = ''
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
    return { text, body: parseBody(text), fault: null }
  } catch (error) {
    return { text, body: emptyBody, fault: `The request body is not valid JSON: ${String(error)}` }
  }
}

/** Starts the record of a request; the end of the response completes it. */
export function createRecord(from: {
  readonly index: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly text: string
  readonly body: WireBody
}): OpenRecord {
  const { request, response } = from
  const controller = new AbortController()
  const ended = Promise.withResolvers<void>()
  let isCutHere = false
  const end: { at: number | null; status: number | null; isClosedByClient: boolean } = {
    at: null,
    status: null,
    isClosedByClient: false,
  }
  response.once('close', () => {
    end.at = performance.now()
    end.status = response.headersSent ? response.statusCode : null
    end.isClosedByClient = !response.writableFinished && !isCutHere
    controller.abort()
    ended.resolve()
  })
  const record: RecordedRequest = {
    index: from.index,
    method: request.method ?? '',
    path: request.url ?? '',
    clientPort: request.socket.remotePort ?? 0,
    headers: withoutSecrets(request.headers),
    text: from.text,
    body: from.body,
    arrivedAt: performance.now(),
    get endedAt() {
      return end.at
    },
    get status() {
      return end.status
    },
    get isClosedByClient() {
      return end.isClosedByClient
    },
    ended: ended.promise,
  }
  const markCut = (): void => {
    isCutHere = true
  }
  return { record, signal: controller.signal, markCut }
}

const emptyBody: WireBody = { model: '', max_tokens: 0, messages: [] }

function parseBody(text: string): WireBody {
  // The one edge where a body becomes typed: `checkRequest` looks at the same value as unknown data before a script sees it.
  return JSON.parse(text) as WireBody
}

function withoutSecrets(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const names = ['authorization', 'x-api-key', 'cookie', 'proxy-authorization']
  const hidden = names.filter((name) => name in headers).map((name) => [name, '[secret]'] as const)
  return { ...headers, ...Object.fromEntries(hidden) }
}
