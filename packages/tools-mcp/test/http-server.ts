import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listed } from './fake-server.ts'

type Message = { readonly id?: number; readonly method: string; readonly params?: Record<string, unknown> }

/** One request of the client. */
export interface Exchange {
  readonly message: Message
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Answers the message. */
  readonly answer: (result: unknown) => void
  /** Begins a stream and leaves it open; each event holds one message. */
  readonly stream: (...messages: readonly object[]) => void
}

/** A server on loopback. `call` handles calls of tools. */
export async function startHttpServer(
  handlers: {
    readonly call?: (exchange: Exchange) => void
    readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean
  } = {},
) {
  const seen: { headers: IncomingMessage['headers']; said: string }[] = []
  let sessions = 0
  const known = new Set<string>()
  const begin = (): string => {
    sessions += 1
    known.add(`session-${sessions}`)
    return `session-${sessions}`
  }
  const server = createServer(async (request, response) => {
    const message = await readBody(request)
    seen.push({ headers: request.headers, said: message.method })
    if (handlers.before?.(request, response) === true) return
    const session = sessionOf(request)
    const isNew = message.method === 'initialize'
    if (request.method === 'DELETE') known.delete(session)
    const status = statusOf(request, message, isNew || known.has(session))
    if (status !== 200 || message.method === '') return void response.writeHead(status).end()
    const exchange = createExchange({ message, request, response, session: isNew ? begin() : session })
    const answer = answerOf(message)
    if (answer === undefined) handlers.call?.(exchange)
    else exchange.answer(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    /** Forgets all sessions. */
    forget: () => known.clear(),
    sessions: () => known.size,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Message> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body === '' ? { method: '' } : JSON.parse(body)
}

function sessionOf({ headers }: IncomingMessage): string {
  return String(headers['mcp-session-id'] ?? '')
}

function statusOf(request: IncomingMessage, { id, method }: Message, isKnown: boolean): number {
  if (request.method === 'GET') return 405
  if (method === '') return 200
  if (!isKnown) return 404
  return id === undefined ? 202 : 200
}

function answerOf({ method, params }: Message): object | undefined {
  if (method === 'tools/list') return { tools: [listed('t')] }
  if (method !== 'initialize') return undefined
  const serverInfo = { name: 'http', version: '1' }
  const { protocolVersion } = params ?? {}
  return { protocolVersion, capabilities: { tools: {}, resources: {} }, serverInfo }
}

function createExchange({
  session,
  ...known
}: Pick<Exchange, 'message' | 'request' | 'response'> & { readonly session: string }): Exchange {
  const { message, response } = known
  const head = (type: string) => ({ 'content-type': type, 'mcp-session-id': session })
  return {
    ...known,
    answer(result) {
      const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result })
      response.writeHead(200, head('application/json')).end(text)
    },
    stream(...messages) {
      response.writeHead(200, head('text/event-stream'))
      for (const one of messages)
        response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...one })}\n\n`)
    },
  }
}
