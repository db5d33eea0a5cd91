import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Action } from './plan-message.ts'

/** How events travel. */
export interface WriterOptions {
  /** Bytes per write; 0 writes each event in one piece. */
  readonly chunkBytes: number
  /** What the answer tells as the id of its request. */
  readonly requestId: string
  /** Milliseconds before each event. */
  readonly eventDelayMs: number
  /** Ends every wait when the connection is gone. */
  readonly signal: AbortSignal
  /** Called before this side destroys the connection. */
  readonly onCut: () => void
}

/** Plays actions on a response as server-sent events. Returns when the response has ended or the connection is gone. */
export async function writeEvents(
  response: ServerResponse,
  actions: Iterable<Action>,
  options: WriterOptions,
): Promise<void> {
  for (const action of actions) {
    if (options.signal.aborted) return
    switch (action.kind) {
      case 'send':
        if (options.eventDelayMs > 0) await pause(options.eventDelayMs, options.signal)
        await writePieces(response, `event: ${action.name}\ndata: ${action.data}\n\n`, options)
        break
      case 'delay':
        await pause(action.ms, options.signal)
        break
      case 'silence':
        await gone(options.signal)
        return
      case 'cut':
        // A turn of the loop lets what was written leave first: the client sees it, and then the loss.
        await flushed(response)
        options.onCut()
        response.socket?.destroy()
        return
    }
  }
  if (!options.signal.aborted) response.end()
}

async function writePieces(response: ServerResponse, text: string, options: WriterOptions): Promise<void> {
  if (!response.headersSent) {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'request-id': options.requestId,
    })
  }
  const bytes = Buffer.from(text)
  const size = options.chunkBytes > 0 ? options.chunkBytes : bytes.length
  for (let from = 0; from < bytes.length; from += size) {
    if (options.signal.aborted) return
    const isRoomy = response.write(bytes.subarray(from, from + size))
    if (options.chunkBytes > 0) await nextTurn()
    if (!isRoomy) await drained(response, options.signal)
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // A connection that closed is no failure of the script: the next check ends it.
  await wait(ms, undefined, { signal }).catch(() => undefined)
}

function gone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function flushed(response: ServerResponse): Promise<void> {
  if (!response.headersSent) return
  await new Promise<void>((resolve) => {
    response.write('', () => resolve())
  })
  await nextTurn()
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      response.off('drain', finish)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    response.on('drain', finish)
    signal.addEventListener('abort', finish)
  })
}
