import { ModelError, type ModelErrorCode } from '@x/contract'
import type { ResponseHeaders } from './exchange.ts'
import { isJsonObject } from './json-object.ts'
import { parseRetryAfter } from './retry-after.ts'

/** What is known of a refusal by the service. */
export interface ServiceRefusal {
  /** HTTP status; null for an error inside a stream that had begun with 200. */
  readonly status: number | null
  /** The answer's body, parsed where it was JSON. */
  readonly body: unknown
  readonly headers?: ResponseHeaders
}

/** Makes the error of a refusal: by the service's name for it, else by the status. */
export function toModelError({ status, body, headers }: ServiceRefusal): ModelError {
  const { type, message } = readBody(body)
  const retryAfterMs = headers === undefined ? undefined : parseRetryAfter(headers)
  const named = codeByType.get(type) ?? (status === null ? 'unknown' : codeByStatus(status))
  const code = refine(named, { message, type, hasRetryAfter: retryAfterMs !== undefined, headers, body })
  return new ModelError(message === '' || isRedirect(status) ? fallbackMessage(status, code) : message, {
    code,
    status,
    isRetryable: mayRetry(code, status, headers),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

function readBody(body: unknown): { readonly type: string; readonly message: string } {
  const error = isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : undefined
  const { type, message } = error ?? {}
  if (typeof message === 'string') return { type: typeof type === 'string' ? type : '', message }
  return { type: typeof type === 'string' ? type : '', message: plainMessage(body) }
}

// Proxies answer with HTML or plain text, other services with shapes of their own.
function plainMessage(body: unknown): string {
  if (typeof body === 'string') return shorten(withoutTags(body))
  if (!isJsonObject(body)) return ''
  const { message, error, detail } = body
  const found = [message, error, detail].find((value) => typeof value === 'string')
  return typeof found === 'string' ? shorten(found) : ''
}

// Behind the last `>` no tag ends: each `<` there would be searched to the end of the text.
function withoutTags(text: string): string {
  const end = text.lastIndexOf('>') + 1
  return text.slice(0, end).replaceAll(/<[^>]*>/g, ' ') + text.slice(end)
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= 300 ? line : `${line.slice(0, 300).toWellFormed()}...`
}

const codeByType: ReadonlyMap<string, ModelErrorCode> = new Map([
  ['invalid_request_error', 'invalid_request'],
  ['authentication_error', 'authentication_failed'],
  ['billing_error', 'billing_error'],
  ['permission_error', 'permission_denied'],
  ['request_too_large', 'request_too_large'],
  ['rate_limit_error', 'rate_limit'],
  ['api_error', 'server_error'],
  ['timeout_error', 'timeout'],
  ['overloaded_error', 'overloaded'],
])

const statusCodes: ReadonlyMap<number, ModelErrorCode> = new Map([
  [401, 'authentication_failed'],
  [402, 'billing_error'],
  [403, 'permission_denied'],
  [408, 'timeout'],
  [413, 'request_too_large'],
  [429, 'rate_limit'],
  [504, 'timeout'],
  [529, 'overloaded'],
])

function codeByStatus(status: number): ModelErrorCode {
  const known = statusCodes.get(status)
  if (known !== undefined) return known
  if (status >= 500) return 'server_error'
  return status >= 400 && status !== 409 ? 'invalid_request' : 'unknown'
}

interface RefinedBy {
  readonly message: string
  readonly type: string
  readonly hasRetryAfter: boolean
  readonly headers: ResponseHeaders | undefined
  readonly body: unknown
}

const tooLong =
  /prompt is too long|exceeds? (the )?(model's )?(maximum )?context (limit|length|window)|context length/i
const money =
  /credit balance|spend(ing)?[ _-]?(cap|limit)|usage limits?|billing|ramp_limit|out of credits|quota/i

// One status stands for several things; only the text tells them apart.
function refine(code: ModelErrorCode, facts: RefinedBy): ModelErrorCode {
  if (code === 'invalid_request') {
    if (tooLong.test(facts.message)) return 'prompt_too_long'
    if (/credit balance|usage limits/i.test(facts.message)) return 'billing_error'
    return facts.type === 'not_found_error' || isModelNotFound(facts) ? 'model_not_found' : code
  }
  const isSpendCap =
    code === 'rate_limit' && !facts.hasRetryAfter && money.test(JSON.stringify(facts.body) ?? '')
  return isSpendCap ? 'billing_error' : code
}

function isModelNotFound({ message }: RefinedBy): boolean {
  return /^model:/i.test(message) || /model (?:(?!model ).)*(not found|does not exist)/i.test(message)
}

const retryableCodes: ReadonlySet<ModelErrorCode> = new Set([
  'rate_limit',
  'overloaded',
  'server_error',
  'timeout',
])

function mayRetry(
  code: ModelErrorCode,
  status: number | null,
  headers: ResponseHeaders | undefined,
): boolean {
  const isPassing = retryableCodes.has(code) || status === 409
  // The service may know better that trying again is of no use.
  return isPassing && headers?.get('x-should-retry') !== 'false'
}

/** Its page says nothing; who is to mend the address has to know that it was one. */
function isRedirect(status: number | null): boolean {
  return status !== null && status >= 300 && status < 400
}

function fallbackMessage(status: number | null, code: ModelErrorCode): string {
  if (isRedirect(status)) return `The model service answered ${status}: a redirect, which is not followed`
  const name = code.replaceAll('_', ' ')
  return status === null
    ? `The model service reported: ${name}`
    : `The model service answered ${status} (${name})`
}
