import { ModelError, type ModelEvent } from '@x/contract'
import type { Attempt } from './attempt.ts'
import type { ResponseBody, ServiceResponse } from './exchange.ts'
import { lostError } from './lost-error.ts'
import { ResponseReader } from './response-reader.ts'
import { SseDecoder } from './sse-decoder.ts'

// A response with its stop reason is complete; what may still follow is `message_stop` and the end of the body.
const AFTERGLOW_MS = 500
const LAST_BYTES_MS = 50

/** Reads a streamed response to its end and gives its events. */
export async function* readResponse(
  response: ServiceResponse,
  attempt: Attempt,
): AsyncGenerator<ModelEvent, void, undefined> {
  assertEventStream(response)
  const { body } = response
  const reader = new ResponseReader(response.headers.get('request-id') ?? undefined)
  const afterglow = { endsAt: Infinity }
  const decoder = new SseDecoder()
  try {
    let chunk = await nextChunk(body, { reader, attempt, afterglow })
    while (chunk !== null) {
      for (const event of decoder.push(chunk)) {
        yield* reader.take(event)
        attempt.signal.throwIfAborted()
      }
      chunk = await nextChunk(body, { reader, attempt, afterglow })
    }
  } finally {
    body.cancel()
  }
  if (!reader.isComplete) throw lostError('the answer broke off')
}

interface Reading {
  readonly reader: ResponseReader
  readonly attempt: Attempt
  /** When waiting for the end of the body is over, on the clock of `performance.now()`. */
  readonly afterglow: { endsAt: number }
}

// Null at the end. After the stop reason nothing can fail any more: neither silence nor a loss takes the response back, nor does
// a service that goes on and on.
async function nextChunk(
  body: ResponseBody,
  { reader, attempt, afterglow }: Reading,
): Promise<Uint8Array | null> {
  if (!reader.isComplete) return await attempt.wait(body.read())
  // The end of the body is worth a moment: a connection read to its end serves the next request too.
  const now = performance.now()
  afterglow.endsAt = Math.min(afterglow.endsAt, now + (reader.isStopped ? LAST_BYTES_MS : AFTERGLOW_MS))
  const leftMs = Math.ceil(afterglow.endsAt - now)
  if (leftMs <= 0) return null
  try {
    return await attempt.wait(body.read(), leftMs)
  } catch {
    return null
  }
}

function assertEventStream(response: ServiceResponse): void {
  const type = response.headers.get('content-type') ?? ''
  if (!/^(text\/html|application\/json)/i.test(type)) return
  throw new ModelError(`The model service answered with ${type} where an event stream was expected`, {
    code: 'unknown',
    status: response.status,
    isRetryable: false,
  })
}
