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
  return (request) =>
    new Promise<ServiceResponse>((resolve, reject) => {
      const outgoing = open(request, agentFor)
      outgoing.on('error', reject)
      outgoing.on('response', (incoming) => resolve(toResponse(incoming)))
      // One system call for all that fits.
      outgoing.cork()
      for (const piece of request.body) outgoing.write(piece)
      outgoing.end()
      outgoing.uncork()
    })
}

function open(
  { url, headers, body, signal }: ServiceRequest,
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
    signal,
    ...(agent && { agent }),
  })
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
