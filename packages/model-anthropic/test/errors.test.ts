import { isModelError } from '@x/contract'
import { createAnthropicModel } from '@x/model-anthropic'
import { error, event, startScriptedServer, status } from '@x/model-anthropic/testing'
import { expect, test } from 'vitest'
import { ask, collect, once, pair } from './support.ts'

test.each([
  [status(400), { code: 'invalid_request', isRetryable: false }],
  [
    status(400, { message: 'prompt is too long: 210000 tokens > 200000 maximum' }),
    { code: 'prompt_too_long', isRetryable: false },
  ],
  [
    status(400, { message: 'input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000' }),
    { code: 'prompt_too_long', isRetryable: false },
  ],
  [
    status(400, { message: 'Your credit balance is too low to access the API.' }),
    { code: 'billing_error', isRetryable: false },
  ],
  [status(401), { code: 'authentication_failed', isRetryable: false }],
  [status(402), { code: 'billing_error', isRetryable: false }],
  [status(403), { code: 'permission_denied', isRetryable: false }],
  [status(404, { message: 'model: claude-nope' }), { code: 'model_not_found', isRetryable: false }],
  [status(404, { body: 'no such page' }), { code: 'invalid_request', isRetryable: false }],
  [status(408), { code: 'timeout', isRetryable: true }],
  [status(409), { code: 'unknown', isRetryable: true }],
  [status(413), { code: 'request_too_large', isRetryable: false }],
  [status(429, { retryAfter: 7 }), { code: 'rate_limit', isRetryable: true, retryAfterMs: 7000 }],
  [status(429), { code: 'rate_limit', isRetryable: true, retryAfterMs: undefined }],
  [
    status(429, { message: 'You have reached your monthly spend limit' }),
    { code: 'billing_error', isRetryable: false },
  ],
  [status(500), { code: 'server_error', isRetryable: true }],
  [status(500, { headers: { 'x-should-retry': 'false' } }), { code: 'server_error', isRetryable: false }],
  [
    status(502, { body: '<html><body>Bad gateway</body></html>', headers: { 'content-type': 'text/html' } }),
    { code: 'server_error', isRetryable: true },
  ],
  [status(503, { body: '' }), { code: 'server_error', isRetryable: true }],
  [status(504), { code: 'timeout', isRetryable: true }],
  [status(529), { code: 'overloaded', isRetryable: true }],
])('an answer is told by its name and status: %j', async (reply, facts) => {
  const { failure, events } = await once(reply)
  expect(events).toEqual([])
  expect(isModelError(failure)).toBe(true)
  expect(failure).toMatchObject({ status: reply.status, ...facts })
})

test('the message is the service’s own; that of a proxy is cut to a line', async () => {
  const own = await once(status(400, { message: 'tools.0.name: too long' }))
  expect(own.failure).toMatchObject({ message: 'tools.0.name: too long' })
  const proxy = await once(status(502, { body: `<html><h1>Bad\n gateway</h1>${'x'.repeat(5000)}</html>` }))
  expect(proxy.failure).toMatchObject({ message: expect.stringMatching(/^Bad gateway x{200}/) })
  expect(String(proxy.failure).length).toBeLessThan(350)
  const empty = await once(status(503, { body: '' }))
  expect(empty.failure).toMatchObject({ message: expect.stringContaining('503') })
})

test('a date in retry-after is counted from now, and one that has passed is no wait', async () => {
  const soon = await once(status(429, { retryAfter: new Date(Date.now() + 60_000).toUTCString() }))
  expect(soon.failure).toMatchObject({ code: 'rate_limit', retryAfterMs: expect.any(Number) })
  const { retryAfterMs = 0 } = soon.failure as { retryAfterMs?: number }
  expect(retryAfterMs).toBeGreaterThan(50_000)
  expect(retryAfterMs).toBeLessThanOrEqual(60_000)
  const past = await once(status(429, { retryAfter: new Date(0).toUTCString() }))
  expect(past.failure).toMatchObject({ retryAfterMs: 0 })
})

test.each([
  ['overloaded_error', 'overloaded', true],
  ['api_error', 'server_error', true],
  ['rate_limit_error', 'rate_limit', true],
  ['timeout_error', 'timeout', true],
  ['invalid_request_error', 'invalid_request', false],
  ['authentication_error', 'authentication_failed', false],
  ['billing_error', 'billing_error', false],
  ['permission_error', 'permission_denied', false],
  ['request_too_large', 'request_too_large', false],
  ['something_new', 'unknown', false],
])('an error event after 200 is told by its name: %s', async (type, code, isRetryable) => {
  const { failure } = await once([error(type, 'why')])
  expect(failure).toMatchObject({ code, isRetryable, status: null, message: 'why' })
})

test('an error event that is plain text is an error too', async () => {
  const { failure } = await once([event('error', 'upstream died')])
  expect(failure).toMatchObject({ code: 'unknown', message: 'upstream died' })
})

test('an event that is not JSON counts as a broken connection', async () => {
  const { failure } = await once([event('content_block_start', '{"type":')])
  expect(failure).toMatchObject({ code: 'connection_lost', isRetryable: true })
})

test.each(['text/html', 'application/json'])(
  'an answer of %s with status 200 is no event stream',
  async (type) => {
    const reply = { kind: 'status' as const, status: 200, headers: { 'content-type': type }, body: '{}' }
    const { failure } = await once(reply)
    expect(failure).toMatchObject({
      code: 'unknown',
      status: 200,
      isRetryable: false,
      message: expect.stringContaining(type),
    })
  },
)

test('a refused connection may be tried again', async () => {
  const server = await startScriptedServer()
  await server.close()
  const { failure } = await collect(createAnthropicModel({ baseURL: server.url }).stream(ask()))
  expect(failure).toMatchObject({ code: 'connection_lost', status: null, isRetryable: true })
})

test.each([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_HAS_EXPIRED',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('a certificate that is not accepted is not tried again: %s', async (code) => {
  const cause = Object.assign(new Error('bad certificate'), { code })
  const model = createAnthropicModel({
    fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
  })
  const { failure } = await collect(model.stream(ask()))
  expect(failure).toMatchObject({
    code: 'connection_lost',
    isRetryable: false,
    message: expect.stringContaining(code),
  })
})

test('a fetch’s own limit on silence is a stall', async () => {
  const cause = Object.assign(new Error('Headers Timeout Error'), { code: 'UND_ERR_HEADERS_TIMEOUT' })
  const model = createAnthropicModel({
    fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
  })
  expect((await collect(model.stream(ask()))).failure).toMatchObject({
    code: 'stalled',
    isRetryable: true,
    status: null,
  })
})

test.each([
  ['a key the header can not hold', { apiKey: 'sk-very-secret\nkey' }],
  ['an echo by the service', { apiKey: 'sk-very-secret' }],
  ['a token', { authToken: 'sk-very-secret' }],
  ['a custom header', { customHeaders: { 'x-gateway-key': 'sk-very-secret' } }],
])('no error shows a secret: %s', async (_, options) => {
  await using both = await pair([status(401, { message: 'bad key sk-very-secret here' })], options)
  const { failure } = await collect(both.model.stream(ask()))
  expect(isModelError(failure)).toBe(true)
  const shown = `${String(failure)} ${JSON.stringify(failure)} ${failure instanceof Error ? failure.stack : ''}`
  expect(shown).not.toContain('sk-very-secret')
  expect(failure).toMatchObject({ isRetryable: false, cause: undefined })
})

test.each([
  [{ baseURL: 'not an address' }, TypeError],
  [{ baseURL: 'ftp://example.com' }, TypeError],
  [{ idleTimeoutMs: -1 }, RangeError],
  [{ timeoutMs: Number.NaN }, RangeError],
  [{ maxOutputTokens: 0 }, RangeError],
  [{ thinking: { type: 'enabled' as const, budgetTokens: 10 } }, RangeError],
])('an option that can not work is refused at once: %j', (options, expected) => {
  expect(() => createAnthropicModel(options)).toThrow(expected)
})

// Anything worse than proportional time would take minutes.
test('a long hostile error is told before the test runs out of time', async () => {
  const named = await once([error('invalid_request_error', 'model '.repeat(200_000))])
  expect(named.failure).toMatchObject({ code: 'invalid_request' })
  for (let count = 0; count < 20; count += 1) {
    const { failure } = await once(status(502, { body: '<'.repeat(64 * 1024) }))
    expect(failure).toMatchObject({ code: 'server_error' })
  }
})
