import { isModelError, ModelError } from '@x/contract'
import { toConnectionError } from './connection-error.ts'
import type { AnthropicModelOptions } from './options.ts'

/** Makes a `ModelError` of whatever an attempt met. No text of it shows a key, a token or the value of a header. */
export function toStreamError(failure: unknown, options: AnthropicModelOptions): ModelError {
  const error = isModelError(failure) ? failure : toConnectionError(failure)
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
