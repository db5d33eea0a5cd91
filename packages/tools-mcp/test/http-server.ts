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
  answer(result: unknown): void
  /** Begins a stream and leaves it open; each event holds one message. */
  stream(...messages: readonly object[]): void
}

/** A server on loopback. `call` handles calls of tools. */
export async function startHttpServer(
  handlers: {
    readonly call?: (exchange: Exchange) => void
    readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean
  } = {},
) {
  const seen: { method: string; headers: IncomingMessage['headers']; said: string }[] = []
  let sessions = 0
  const known = new Set<string>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const message = (body === '' ? { method: '' } : JSON.parse(body)) as Message
    seen.push({ method: request.method ?? '', headers: request.headers, said: message.method })
    if (handlers.before?.(request, response) === true) return
    if (request.method === 'GET') return void response.writeHead(405).end()
    const session = String(request.headers['mcp-session-id'] ?? '')
    if (request.method === 'DELETE') {
      known.delete(session)
      return void response.writeHead(200).end()
    }
    if (message.method !== 'initialize' && !known.has(session))
      return void response.writeHead(404).end('no session')
    if (message.id === undefined) return void response.writeHead(202).end()
    const headers = { 'content-type': 'application/json', 'mcp-session-id': session }
    const answer = (result: unknown): void => {
      response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
    }
    const stream = (...messages: readonly object[]): void => {
      response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' })
      for (const one of messages)
        response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...one })}\n\n`)
    }
    if (message.method === 'initialize') {
      sessions += 1
      headers['mcp-session-id'] = `session-${sessions}`
      known.add(`session-${sessions}`)
      const { protocolVersion } = message.params ?? {}
      return answer({
        protocolVersion,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'http', version: '1' },
      })
    }
    if (message.method === 'tools/list') return answer({ tools: [listed('t')] })
    handlers.call?.({ message, request, response, answer, stream })
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
