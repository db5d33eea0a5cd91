import type { Exchange, ResponseBody, ServiceResponse } from './exchange.ts'
import { exchangeByFetch } from './fetch-exchange.ts'
import { createNodeExchange } from './node-exchange.ts'
import type { AnthropicModelOptions } from './options.ts'
import { requestHeaders } from './request-headers.ts'
import { toModelError } from './to-model-error.ts'

/** What one request needs. */
interface SendOptions {
  readonly model: string
  /** The whole body: UTF-8 JSON, in pieces. */
  readonly body: readonly Uint8Array[]
  readonly signal: AbortSignal
}

/** Sends one request. */
export type SendRequest = (options: SendOptions) => Promise<ServiceResponse>

/** Makes the way to the service. A request rejects with a `ModelError` for every status but success. */
export function createSendRequest(options: AnthropicModelOptions): SendRequest {
  const exchange: Exchange =
    options.fetch === undefined ? createNodeExchange(options) : exchangeByFetch(options.fetch)
  const baseURL = (options.baseURL ?? 'https://api.anthropic.com').replace(/\/+$/, '')
  const url = `${baseURL}/v1/messages`
  return async ({ model, body, signal }) => {
    const response = await exchange({ url, headers: requestHeaders(model, options), body, signal })
    const { status, headers } = response
    if (status >= 200 && status < 300) return response
    throw toModelError({ status, headers, body: parseBody(await readText(response.body)) })
  }
}

// An error says what it has to say in less; nobody has to hold more of a page that does not end.
const MAX_ERROR_BYTES = 64 * 1024

async function readText(body: ResponseBody): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (let chunk = await body.read(); chunk !== null; chunk = await body.read()) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_ERROR_BYTES) break
    }
  } catch {
    // The status is known; what came of the text is better than nothing.
  }
  body.cancel()
  return Buffer.concat(chunks).toString()
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
