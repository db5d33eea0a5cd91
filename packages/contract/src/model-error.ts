/** What kind of failure a model request met; the names of the stream-json records, and what happens on the wire. */
export type ModelErrorCode =
  | 'authentication_failed'
  | 'billing_error'
  | 'permission_denied'
  | 'rate_limit'
  | 'overloaded'
  | 'invalid_request'
  | 'prompt_too_long'
  | 'request_too_large'
  | 'model_not_found'
  | 'server_error'
  /** The connection could not be made or broke off. */
  | 'connection_lost'
  /** The stream stayed silent for longer than its limit. */
  | 'stalled'
  /** The request as a whole took too long. */
  | 'timeout'
  | 'unknown'

/** Facts of a model failure. */
export interface ModelErrorOptions {
  /** What kind of failure it was. */
  readonly code: ModelErrorCode
  /** HTTP status; null where there was none. */
  readonly status: number | null
  /** What the service asked for with `retry-after`. */
  readonly retryAfterMs?: number
  /** The same request may succeed later. */
  readonly isRetryable: boolean
  /** The error of the client or the network below. */
  readonly cause?: unknown
}

const brand = Symbol.for('@x/contract/ModelError')

/** A request to the model failed. */
export class ModelError extends Error {
  /** Names the class in logs. */
  override readonly name = 'ModelError'
  /** What kind of failure it was. */
  readonly code: ModelErrorCode
  /** HTTP status; null where there was none. */
  readonly status: number | null
  /** What the service asked for with `retry-after`, in milliseconds. */
  readonly retryAfterMs: number | undefined
  /** The same request may succeed later. */
  readonly isRetryable: boolean
  /** Tells the class across installed copies. @internal */
  readonly [brand] = true

  constructor(message: string, options: ModelErrorOptions) {
    super(message, { cause: options.cause })
    this.code = options.code
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs
    this.isRetryable = options.isRetryable
  }
}

/** Tells a `ModelError`, also one of another installed copy of this package. */
export function isModelError(value: unknown): value is ModelError {
  return typeof value === 'object' && value !== null && brand in value
}
