// The only module that loads the SDK (150 ms): `anthropic-model.ts` imports it with the first request.
import { Anthropic } from '@anthropic-ai/sdk'
import { isJsonObject } from './json-object.ts'
import { isLargeWindow, modelLimits, wireName } from './model-limits.ts'
import type { AnthropicModelOptions } from './options.ts'

/** What one request needs of the client. */
export interface PostOptions {
  readonly model: string
  /** The whole body: UTF-8 JSON. */
  readonly body: Uint8Array
  readonly signal: AbortSignal
}

/**
 * The SDK's client with nothing taken from its surroundings: no environment variables, no credential files, no retries, no log.
 *
 * A body of bytes goes out as it is: the SDK passes views on verbatim, where it would write an object out anew each turn.
 */
export class MessagesClient extends Anthropic {
  readonly #options: AnthropicModelOptions

  constructor(options: AnthropicModelOptions) {
    super({
      apiKey: null,
      authToken: null,
      webhookKey: null,
      baseURL: (options.baseURL ?? 'https://api.anthropic.com').replace(/\/+$/, ''),
      maxRetries: 0,
      logLevel: 'off',
      openTelemetry: false,
      // Time limits are the attempt's: it knows what ran out.
      timeout: LONGEST_TIMER_MS,
      fetch: keepCauses(options.fetch ?? fetch),
    })
    this.#options = options
  }

  /** Sends one request. Rejects for every status but success. */
  async send({ model, body, signal }: PostOptions): Promise<Response> {
    const headers = requestHeaders(model, this.#options)
    return this.post('/v1/messages', { body, headers, signal, stream: true }).asResponse()
  }

  protected override _shouldResolveDefaultCredentials(): boolean {
    return false
  }

  // The SDK adds the fields of ANTHROPIC_CUSTOM_HEADERS by itself. Here every field but its own and ours goes again.
  protected override async prepareRequest(
    request: RequestInit,
    { options }: { options: { headers?: unknown } },
  ): Promise<void> {
    const headers = new Headers(request.headers)
    const given = isJsonObject(options.headers) ? Object.keys(options.headers) : []
    const wanted = new Set(given.map((name) => name.toLowerCase()))
    for (const name of Array.from(headers.keys())) {
      if (!wanted.has(name) && !sdkHeader.test(name)) headers.delete(name)
    }
    if (!wanted.has('user-agent')) headers.set('user-agent', this.getUserAgent())
    request.headers = headers
    // fetch would send keys and headers to wherever the answer points.
    request.redirect = 'manual'
  }
}

const LONGEST_TIMER_MS = 2 ** 31 - 1
const LARGE_WINDOW_BETA = 'context-1m-2025-08-07'
const sdkHeader = /^(accept|content-type|user-agent|anthropic-version|x-stainless-.*)$/

// The SDK takes every failure that mentions a time-out for its own and drops what it was. Two layers down it does not look.
function keepCauses(inner: typeof fetch): typeof fetch {
  return (url, init) => inner(url, init).catch((cause: unknown) => Promise.reject(buried(cause)))
}

function buried(cause: unknown): Error {
  return new Error('Request failed', { cause: new Error('No answer', { cause }) })
}

function requestHeaders(model: string, options: AnthropicModelOptions): Record<string, string | null> {
  const needsBeta =
    isLargeWindow(model) && modelLimits(wireName(model)).contextWindow < modelLimits(model).contextWindow
  const betas = [...(options.betas ?? []), ...(needsBeta ? [LARGE_WINDOW_BETA] : [])]
  return {
    'content-type': 'application/json',
    ...authentication(options),
    ...(betas.length === 0 ? {} : { 'anthropic-beta': [...new Set(betas)].join(',') }),
    ...options.customHeaders,
  }
}

// A null says to the SDK that there is none on purpose. Keys go out as `x-api-key`, which endpoints of every age understand.
function authentication({ apiKey, authToken }: AnthropicModelOptions): Record<string, string | null> {
  if (apiKey !== undefined) return { authorization: null, 'x-api-key': apiKey }
  return { authorization: authToken === undefined ? null : `Bearer ${authToken}` }
}
