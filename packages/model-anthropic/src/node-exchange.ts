import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import { createAgents, type WayOptions } from './agents.ts'
import type { Exchange, ResponseBody, ServiceRequest, ServiceResponse } from './exchange.ts'

/**
 * Makes the exchange that speaks HTTP through Node's own client.
 *
 * `fetch` copies every body two times more and reads answers through two further layers: a late turn of a long conversation costs
 * several times the memory, an early one several times the CPU.
 */
export function createNodeExchange(options: WayOptions): Exchange {
  const agentFor = createAgents(options)
  const { connectTimeoutMs = 10_000 } = options
  return (request) =>
    new Promise<ServiceResponse>((resolve, reject) => {
      // Nobody would close it any more.
      request.signal.throwIfAborted()
      const outgoing = open(request, agentFor)
      outgoing.on('error', reject)
      outgoing.on('response', (incoming) => resolve(toResponse(incoming)))
      limitConnecting(outgoing, connectTimeoutMs)
      // Not Node's `signal` option: it adds ten listeners to learn of the end, and this signal goes with its attempt anyway.
      request.signal.addEventListener('abort', () => outgoing.destroy())
      // One system call for all that fits.
      outgoing.cork()
      for (const piece of request.body) outgoing.write(piece)
      outgoing.end()
      outgoing.uncork()
    })
}

function open(
  { url, headers, body }: ServiceRequest,
  agentFor: (protocol: string) => Agent | undefined,
): ClientRequest {
  const { protocol } = new URL(url)
  // An import statement would load the `fetch` of Node along with it, for names of it that are given on.
  const client = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
  const length = body.reduce((sum, piece) => sum + piece.length, 0)
  const agent = agentFor(protocol)
  return client.request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': length },
    ...(agent && { agent }),
  })
}

/** A host that swallows everything would otherwise be waited for as long as the system pleases, which is minutes. */
function limitConnecting(outgoing: ClientRequest, ms: number): void {
  if (ms === 0) return
  const timer = setTimeout(() => outgoing.destroy(lateError(ms)), ms)
  const stop = (): void => clearTimeout(timer)
  outgoing.once('close', stop)
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) stop()
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop)
  })
}

function lateError(ms: number): Error {
  return Object.assign(new Error(`no connection within ${ms / 1000} s`), { code: 'ETIMEDOUT' })
}

function toResponse(incoming: IncomingMessage): ServiceResponse {
  return {
    status: incoming.statusCode ?? 0,
    headers: { get: (name) => toValue(incoming.headers[name.toLowerCase()]) },
    body: toBody(incoming),
  }
}

function toValue(field: string | string[] | undefined): string | null {
  return Array.isArray(field) ? field.join(', ') : (field ?? null)
}

function toBody(incoming: IncomingMessage): ResponseBody {
  const chunks: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]()
  return {
    read: async () => {
      const { value, done } = await chunks.next()
      return done === true ? null : value
    },
    // A connection that was read to its end has gone back for the next request by then.
    cancel: () => void incoming.destroy(),
  }
}
