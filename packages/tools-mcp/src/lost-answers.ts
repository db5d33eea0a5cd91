import type { Transport } from '@modelcontextprotocol/client'

/** Answers requests of a streamable HTTP connection that the SDK would wait for in vain. */
export interface LostAnswers {
  /** Begins, before the client connects. */
  readonly watch: (transport: Transport) => void
  /** Takes the body of a request whose HTTP answer was no stream: with that answer all has been said. */
  readonly notePlainAnswer: (body: unknown) => void
}

type Id = string | number

/** An HTTP answer may end without holding the answer to its request: a stream that breaks off, a 202, the answer to something else. */
export function createLostAnswers(): LostAnswers {
  const waiting = new Set<Id>()
  const plain = new Set<Id>()
  return {
    watch(transport) {
      const send = transport.send.bind(transport)
      const fail = (id: Id): void => {
        const error = { code: -32000, message: 'the connection ended before the answer' }
        if (waiting.delete(id)) transport.onmessage?.({ jsonrpc: '2.0', id, error })
      }
      let hears = false
      transport.send = async (message, options) => {
        // The client's ear is there by now.
        if (!hears) hearAnswers(transport, waiting)
        hears = true
        if (!('method' in message) || !('id' in message)) return send(message, options)
        const { id } = message
        waiting.add(id)
        try {
          await send(message, { ...options, onRequestStreamEnd: () => fail(id) })
        } catch (error) {
          waiting.delete(id)
          throw error
        } finally {
          if (plain.delete(id)) fail(id)
        }
      }
    },
    notePlainAnswer(body) {
      const id = idOf(body)
      if (id !== undefined && waiting.has(id)) plain.add(id)
    },
  }
}

function hearAnswers(transport: Transport, waiting: Set<Id>): void {
  const hear = transport.onmessage
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- no event target
  transport.onmessage = (message, extra) => {
    if (!('method' in message) && message.id !== undefined) waiting.delete(message.id)
    hear?.(message, extra)
  }
}

/** The body is what the SDK wrote. */
function idOf(body: unknown): Id | undefined {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
