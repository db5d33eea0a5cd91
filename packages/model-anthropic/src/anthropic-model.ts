import type { Model, ModelEvent, ModelRequest } from '@x/contract'
import { Attempt } from './attempt.ts'
import { assertOptions } from './check-options.ts'
import { modelLimits } from './model-limits.ts'
import type { AnthropicModelOptions } from './options.ts'
import { readResponse } from './read-response.ts'
import { RequestEncoder } from './request-body.ts'
import { createSendRequest, type SendRequest } from './send-request.ts'
import { toStreamError } from './stream-error.ts'

/**
 * Makes a model that speaks to the Messages API, or to any endpoint with the same protocol.
 *
 * Each `stream` is one attempt over HTTP: nothing is retried, nothing is repaired. It rejects with a `ModelError`, or with the
 * reason of the request's signal. No environment variable is read.
 *
 * @throws TypeError or RangeError for options that can not work, at once.
 *
 * @example
 * const model = createAnthropicModel(readAnthropicEnvironment(process.env))
 */
export function createAnthropicModel(options: AnthropicModelOptions = {}): Model {
  assertOptions(options)
  const encoder = new RequestEncoder(options)
  const send = createSendRequest(options)
  return {
    contextWindow: (model) => modelLimits(model).contextWindow,
    maxOutputTokens: (model) => options.maxOutputTokens ?? modelLimits(model).maxOutputTokens,
    stream: (request) => streamOnce(request, { options, encoder, send }),
  }
}

interface StreamParts {
  readonly options: AnthropicModelOptions
  readonly encoder: RequestEncoder
  readonly send: SendRequest
}

async function* streamOnce(
  request: ModelRequest,
  parts: StreamParts,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { idleTimeoutMs = 300_000, timeoutMs = 600_000 } = parts.options
  request.signal.throwIfAborted()
  using attempt = new Attempt(request.signal, { idleTimeoutMs, timeoutMs })
  const body = parts.encoder.encode(request)
  try {
    const sending = parts.send({ model: request.model, body, signal: attempt.signal })
    const response = await attempt.waitForResponse(sending)
    yield* readResponse(response, attempt)
  } catch (failure) {
    request.signal.throwIfAborted()
    throw toStreamError(failure, parts.options)
  }
  request.signal.throwIfAborted()
}
