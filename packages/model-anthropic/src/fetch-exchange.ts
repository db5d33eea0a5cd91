import type { Exchange, ResponseBody, ServiceRequest } from './exchange.ts'

/** Speaks HTTP through a `fetch` of the host's. */
export function exchangeByFetch(fetch: typeof globalThis.fetch): Exchange {
  return async ({ url, headers, body, signal }: ServiceRequest) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers },
      body: Buffer.concat(body),
      signal,
      redirect: 'manual',
    })
    return { status: response.status, headers: response.headers, body: toBody(response) }
  }
}

function toBody(response: Response): ResponseBody {
  const reader = response.body?.getReader()
  return {
    read: async () => (await reader?.read())?.value ?? null,
    // A body that does not listen to the signal is let go here.
    cancel: () => void reader?.cancel().catch(() => undefined),
  }
}
