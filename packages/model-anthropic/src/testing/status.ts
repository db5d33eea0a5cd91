import type { StatusReply } from './steps.ts'

/** Options of `status`. */
export interface StatusOptions {
  /** @default the name the service uses for this status */
  readonly type?: string
  /** @default a short text of the service's kind */
  readonly message?: string
  /** Seconds, or a date as text, for the `retry-after` header. */
  readonly retryAfter?: number | string
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** A body to send as it is, for example HTML of a proxy. @default the service's JSON error */
  readonly body?: string
}

/** Answers with an HTTP status and the service's error body. */
export function status(code: number, options: StatusOptions = {}): StatusReply {
  const type = options.type ?? errorTypes.get(code) ?? (code >= 500 ? 'api_error' : 'invalid_request_error')
  const error = { type, message: options.message ?? type.replaceAll('_', ' ') }
  return {
    kind: 'status',
    status: code,
    headers: {
      'content-type': 'application/json',
      ...(options.retryAfter === undefined ? {} : { 'retry-after': String(options.retryAfter) }),
      ...options.headers,
    },
    body: options.body ?? JSON.stringify({ type: 'error', error, request_id: 'req_scripted' }),
  }
}

const errorTypes: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [408, 'timeout_error'],
  [409, 'conflict_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
])
