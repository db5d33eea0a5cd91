import { anySignal, createTimeoutAbortController } from '@x/abort'

/** A `fetch` with limits, and what was seen through it. */
export interface LimitedFetch {
  /** Fetches, in time and in bounds. */
  readonly fetch: typeof fetch
  /** Whether the last answer that was a success or a 401 was the latter. */
  wantsLogin(): boolean
}

/** Bounds of one request. */
export interface FetchLimits {
  /** Milliseconds to the head of the answer; the stream that a GET opens may begin when it likes. */
  readonly requestMs: number
  /** Bytes without a line break in a stream, or in a whole answer that is none. */
  readonly maxBytes: number
  /** Hears of each success that is no stream, with the body of the request. */
  readonly onPlainAnswer: (body: unknown) => void
}

/** Wraps a `fetch`: an answer that does not begin in time fails, and so does one that would fill the memory. */
export function limitFetch(
  base: typeof fetch,
  { requestMs, maxBytes, onPlainAnswer }: FetchLimits,
): LimitedFetch {
  let wantsLogin = false
  const limited: typeof fetch = async (input, init) => {
    // Disposed with the head; the caller's own signal goes on to end the body.
    using limit = createTimeoutAbortController(requestMs)
    const { signal } = anySignal([init?.signal ?? undefined, limit.signal])
    const response = await base(input, init?.method === 'GET' ? init : { ...init, signal })
    if (response.status === 401 || response.ok) wantsLogin = response.status === 401
    if (response.ok && !isStream(response)) onPlainAnswer(init?.body)
    return boundBody(response, maxBytes)
  }
  return { fetch: limited, wantsLogin: () => wantsLogin }
}

function boundBody(response: Response, maxBytes: number): Response {
  if (response.body === null) return response
  const isLined = isStream(response)
  let bytes = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const lineBreak = isLined ? chunk.lastIndexOf(10) : -1
      bytes = lineBreak === -1 ? bytes + chunk.length : chunk.length - lineBreak
      if (bytes > maxBytes) controller.error(new Error(`the answer is longer than ${maxBytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  const bounded = new Response(response.body.pipeThrough(count), { status, statusText, headers })
  // The SDK compares it with the address it asked for, to see redirects.
  Object.defineProperty(bounded, 'url', { value: response.url })
  return bounded
}

function isStream({ headers, status }: Response): boolean {
  // "Accepted" ends an exchange, whatever it calls its content.
  return status !== 202 && headers.get('content-type')?.includes('text/event-stream') === true
}
