import type { Model, ModelEvent, ModelRequest } from '@x/contract'
import { Attempt } from './attempt.ts'
import { assertOptions } from './check-options.ts'
import type { MessagesClient } from './client.ts'
import { modelLimits } from './model-limits.ts'
import type { AnthropicModelOptions } from './options.ts'
import { readResponse } from './read-response.ts'
import { RequestEncoder } from './request-body.ts'
import { toStreamError } from './stream-error.ts'

/**
 * Makes a model that speaks to the Messages API, or to any endpoint with the same protocol.
 *
 * Each `stream` is one attempt over HTTP: nothing is retried, nothing is repaired. It rejects with a `ModelError`, or with the
 * reason of the request's signal. The SDK is loaded with the first request; no environment variable is read.
 *
 * @throws TypeError or RangeError for options that can not work, at once.
 *
 * @example
 * const model = createAnthropicModel(readAnthropicEnvironment(process.env))
 */
export function createAnthropicModel(options: AnthropicModelOptions = {}): Model {
  assertOptions(options)
  const encoder = new RequestEncoder(options)
  let loading: Promise<MessagesClient> | undefined
  const load = (): Promise<MessagesClient> => {
    loading ??= import('./client.ts').then(({ MessagesClient }) => new MessagesClient(options))
    return loading
  }
  return {
    contextWindow: (model) => modelLimits(model).contextWindow,
    stream: (request) => streamOnce(request, { options, encoder, load }),
  }
}

interface StreamParts {
  readonly options: AnthropicModelOptions
  readonly encoder: RequestEncoder
  readonly load: () => Promise<MessagesClient>
}

async function* streamOnce(
  request: ModelRequest,
  parts: StreamParts,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { idleTimeoutMs = 300_000, timeoutMs = 600_000 } = parts.options
  request.signal.throwIfAborted()
  using attempt = new Attempt(request.signal, { idleTimeoutMs, timeoutMs })
  // Loading is no silence of the service.
  const client = await attempt.wait(parts.load(), 0)
  const body = parts.encoder.encode(request)
  try {
    const sending = client.send({ model: request.model, body, signal: attempt.signal })
    const response = await attempt.waitForResponse(sending)
    yield* readResponse(response, attempt)
  } catch (failure) {
    request.signal.throwIfAborted()
    throw toStreamError(failure, parts.options)
  }
  request.signal.throwIfAborted()
}
