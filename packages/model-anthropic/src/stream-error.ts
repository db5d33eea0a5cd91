import { isModelError, ModelError } from '@x/contract'
import { toConnectionError } from './connection-error.ts'
import type { AnthropicModelOptions } from './options.ts'
import { toModelError } from './to-model-error.ts'

/** Makes a `ModelError` of whatever an attempt met. No text of it shows a key, a token or the value of a header. */
export function toStreamError(failure: unknown, options: AnthropicModelOptions): ModelError {
  const error = isModelError(failure) ? failure : classify(failure)
  const message = hideSecrets(error.message, secretsOf(options))
  if (message === error.message) return error
  const { code, status, isRetryable, retryAfterMs } = error
  return new ModelError(message, {
    code,
    status,
    isRetryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

// The SDK's errors are told by their shape: its classes would have to be loaded. None is kept as a cause, for they hold headers.
function classify(failure: unknown): ModelError {
  const { status, headers, error } = readShape(failure)
  if (status === null) return toConnectionError(failure)
  const body = error ?? plainBody(failure)
  return toModelError({ status, body, ...(headers === undefined ? {} : { headers }) })
}

function readShape(failure: unknown): { status: number | null; headers?: Headers; error?: unknown } {
  if (typeof failure !== 'object' || failure === null) return { status: null }
  const status = 'status' in failure && typeof failure.status === 'number' ? failure.status : null
  const headers = 'headers' in failure && failure.headers instanceof Headers ? failure.headers : undefined
  const error = 'error' in failure ? failure.error : undefined
  return { status, error, ...(headers === undefined ? {} : { headers }) }
}

// The SDK puts a body that is no JSON into its message, after the status, and words of its own where there was none.
function plainBody(failure: unknown): string | undefined {
  const text = failure instanceof Error ? failure.message.replace(/^\d+ /, '') : ''
  return text === 'status code (no body)' ? undefined : text
}

// Shorter values are no secrets, and would blank out ordinary words.
const SHORTEST_SECRET = 6

function secretsOf({ apiKey, authToken, customHeaders, baseURL }: AnthropicModelOptions): readonly string[] {
  const password = URL.parse(baseURL ?? '')?.password
  const values = [apiKey, authToken, password, ...Object.values(customHeaders ?? {})]
  return values.flatMap((value) =>
    value !== undefined && value.length >= SHORTEST_SECRET ? [value, value.trim()] : [],
  )
}

function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
}
