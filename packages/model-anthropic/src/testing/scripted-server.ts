import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { checkRequest } from './check-request.ts'
import { writeEvents } from './event-writer.ts'
import { planMessage } from './plan-message.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { createRecord, type OpenRecord, readBody } from './request-log.ts'
import { status } from './status.ts'
import type { MessageReply, Reply, StatusReply, Step } from './steps.ts'
import { ThoughtLedger } from './thought-ledger.ts'

/** A reply, or a function that makes one of the request. */
export type ScriptEntry = Reply | ((request: RecordedRequest) => Reply | Promise<Reply>)

/** Options of `startScriptedServer`. Give `script` or `respond`. */
export interface ScriptedServerOptions {
  /** Replies in order of arrival. A request beyond the last one is answered with 500. */
  readonly script?: readonly ScriptEntry[]
  /** Answers each request; for any number of requests in any order. Used when the script has run out. */
  readonly respond?: (request: RecordedRequest) => Reply | Promise<Reply>
  /** Refuses, as the service does, what breaks its rules; such a request uses up no script entry. @default true */
  readonly isStrict?: boolean
  /** Refuses requests without a key (any with `true`) or with another one. @default false */
  readonly requireKey?: boolean | string
  /** Characters per text or input delta. @default 8 */
  readonly pieceLength?: number
  /** Bytes per write to the socket, splitting lines and characters anywhere; 0 writes whole events. @default 0 */
  readonly chunkBytes?: number
  /** Milliseconds before each event. @default 0 */
  readonly eventDelayMs?: number
  /** Port on loopback. @default 0, a free one */
  readonly port?: number
}

/** A running scripted Messages API. */
export interface ScriptedServer extends AsyncDisposable {
  /** Base URL for the client, without a slash at the end. */
  readonly url: string
  /** Port on loopback. */
  readonly port: number
  /** Every request so far, in order of arrival, refused ones included. */
  readonly requests: readonly RecordedRequest[]
  /** Stops listening and ends every connection, also one that is being answered. Closing twice is harmless. */
  close(): Promise<void>
}

/** Starts a Messages API on loopback that answers from a script: real HTTP, real server-sent events, the service's own rules. */
export async function startScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const service = new ScriptedService(options)
  const server = createServer((request, response) => {
    // Failures inside a script are told to the client by `answer` itself; what is left is a connection that broke.
    service.answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = async (): Promise<void> => {
    if (!server.listening) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    service.markCut()
    server.closeAllConnections()
    await closed
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: service.requests,
    close,
    [Symbol.asyncDispose]: close,
  }
}

class ScriptedService {
  readonly requests: RecordedRequest[] = []
  readonly #options: ScriptedServerOptions
  readonly #ledger = new ThoughtLedger()
  readonly #counters = { msg: 0, toolu: 0, req: 0 }
  readonly #open = new Set<OpenRecord>()
  #nextEntry = 0

  constructor(options: ScriptedServerOptions) {
    this.#options = options
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = await readBody(request)
    const open = createRecord({ index: this.requests.length, request, response, ...read })
    this.requests.push(open.record)
    this.#open.add(open)
    const forget = (): boolean => this.#open.delete(open)
    response.once('close', forget)
    const reply =
      this.#keyRefusal(request) ??
      this.#refusal(open.record, read.fault) ??
      (await this.#nextReply(open.record))
    if ('kind' in reply && reply.kind === 'status') sendStatus(response, reply)
    else await this.#play(toMessage(reply), open, response)
  }

  /** Marks every answer that is still going on as ended by this side. */
  markCut(): void {
    for (const open of this.#open) open.markCut()
  }

  #keyRefusal(request: IncomingMessage): StatusReply | null {
    const wanted = this.#options.requireKey ?? false
    if (wanted === false) return null
    const bearer = request.headers.authorization?.replace(/^Bearer /, '')
    const key = request.headers['x-api-key'] ?? bearer
    if (wanted === true ? key !== undefined && key !== '' : key === wanted) return null
    return status(401, { message: key === undefined ? 'x-api-key header is required' : 'invalid x-api-key' })
  }

  #refusal(record: RecordedRequest, fault: string | null): StatusReply | null {
    if (record.path.split('?')[0] !== '/v1/messages' || record.method !== 'POST') {
      return status(404, { message: `Not Found: ${record.method} ${record.path}` })
    }
    if (fault !== null) return status(400, { message: fault })
    if (this.#options.isStrict === false) return null
    const wrong = checkRequest(record.body) ?? this.#ledger.fault(record.body.messages)
    return wrong === null ? null : status(400, { message: wrong })
  }

  async #nextReply(record: RecordedRequest): Promise<Reply> {
    const entry = this.#options.script?.[this.#nextEntry] ?? this.#options.respond
    this.#nextEntry += 1
    if (entry === undefined) {
      return status(500, {
        message: `The script has no reply for request ${record.index}`,
        headers: { 'x-should-retry': 'false' },
      })
    }
    try {
      return typeof entry === 'function' ? await entry(record) : entry
    } catch (error) {
      return status(500, {
        message: `The script failed: ${String(error)}`,
        headers: { 'x-should-retry': 'false' },
      })
    }
  }

  async #play(reply: MessageReply, open: OpenRecord, response: ServerResponse): Promise<void> {
    const actions = planMessage(reply, {
      request: open.record,
      nextId: (kind) => this.#nextId(kind),
      pieceLength: this.#options.pieceLength ?? 8,
      onBlocks: (blocks) => this.#ledger.remember(blocks),
    })
    await writeEvents(response, actions, {
      requestId: this.#nextId('req'),
      chunkBytes: this.#options.chunkBytes ?? 0,
      eventDelayMs: reply.eventDelayMs ?? this.#options.eventDelayMs ?? 0,
      signal: open.signal,
      onCut: open.markCut,
    })
  }

  #nextId(kind: 'msg' | 'toolu' | 'req'): string {
    this.#counters[kind] += 1
    return `${kind}_${String(this.#counters[kind]).padStart(4, '0')}`
  }
}

function toMessage(reply: MessageReply | Step | readonly Step[]): MessageReply {
  if (!('kind' in reply)) return { kind: 'message', steps: reply }
  return reply.kind === 'message' ? reply : { kind: 'message', steps: [reply] }
}

function sendStatus(response: ServerResponse, reply: StatusReply): void {
  response.writeHead(reply.status, reply.headers)
  response.end(reply.body)
}
