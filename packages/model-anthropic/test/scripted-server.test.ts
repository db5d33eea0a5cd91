import {
  block,
  cut,
  delay,
  lastText,
  message,
  type RecordedRequest,
  redacted,
  type ScriptedServerOptions,
  silence,
  startScriptedServer,
  status,
  stop,
  text,
  thinking,
  toolResults,
  toolUse,
} from '@x/model-anthropic/testing'
import { expect, test } from 'vitest'

const hi = { role: 'user', content: 'hi' }
const use = (id: string, more: object = {}) => ({ type: 'tool_use', id, name: 'Read', input: {}, ...more })
const answer = (id: string, more: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'x',
  ...more,
})
const said = (...content: object[]) => ({ role: 'assistant', content })
const told = (...content: object[]) => ({ role: 'user', content })

interface Answer {
  readonly status: number
  readonly text: string
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers,
    body: body instanceof Uint8Array || typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

async function judge(
  messages: unknown,
  more: object = {},
  options: ScriptedServerOptions = {},
): Promise<Answer> {
  await using server = await startScriptedServer({ respond: () => [text('ok')], ...options })
  return await post(server.url, { model: 'm', max_tokens: 10, messages, ...more })
}

test.each([
  ['no messages', [], 'at least one message'],
  ['not a list', 'hi', 'at least one message'],
  ['an assistant first', [said({ type: 'text', text: 'x' })], 'first message must use the "user" role'],
  ['another role', [{ role: 'system', content: 'x' }], "Input should be 'user' or 'assistant'"],
  ['a field too many', [{ ...hi, id: 'msg_1' }], 'Extra inputs are not permitted'],
  ['empty text', [told({ type: 'text', text: '' })], 'text content blocks must be non-empty'],
  ['blank text', [told({ type: 'text', text: ' \n' })], 'non-whitespace'],
  ['empty content', [told()], 'non-empty content'],
  ['empty string', [{ role: 'user', content: '' }], 'non-empty'],
  ['a block without type', [told({ text: 'x' })], 'type: Field required'],
  ['an unanswered call', [hi, said(use('a'))], 'without `tool_result` blocks immediately after: a'],
  ['one of two calls unanswered', [hi, said(use('a'), use('b')), told(answer('a'))], 'immediately after: b'],
  ['a call answered one message late', [hi, said(use('a')), hi, told(answer('a'))], 'immediately after: a'],
  ['a call answered twice', [hi, said(use('a')), told(answer('a'), answer('a'))], 'single result'],
  [
    'a result without a call',
    [hi, said({ type: 'text', text: 'x' }), told(answer('a'))],
    'unexpected `tool_use_id`',
  ],
  [
    'results after text',
    [hi, said(use('a')), told({ type: 'text', text: 'x' }, answer('a'))],
    'must come first',
  ],
  ['the same id twice in a message', [hi, said(use('a'), use('a')), told(answer('a'))], 'ids must be unique'],
  [
    'the same id in two messages',
    [hi, said(use('a')), told(answer('a')), said(use('a')), told(answer('a'))],
    'ids must be unique',
  ],
  ['an empty id', [hi, said(use('')), told(answer(''))], 'should match pattern'],
  ['an id with a dot', [hi, said(use('a.b')), told(answer('a.b'))], 'should match pattern'],
  ['an input that is no object', [hi, said(use('a', { input: 'x' })), told(answer('a'))], 'valid dictionary'],
  [
    'a bad tool name in a call',
    [hi, said(use('a', { name: 'my tool' })), told(answer('a'))],
    'name: String should match',
  ],
  [
    'an empty text in a result',
    [hi, said(use('a')), told(answer('a', { content: [{ type: 'text', text: '' }] }))],
    'non-empty',
  ],
  ['a result by the assistant', [hi, said(answer('a'))], 'not allowed in assistant messages'],
  ['a call by the user', [told(use('a'))], 'not allowed in user messages'],
  ['half a surrogate pair', [{ role: 'user', content: 'x\ud83d' }], 'surrogates not allowed'],
  [
    'a thought the server never had',
    [hi, said({ type: 'thinking', thinking: 'x', signature: 'y' })],
    'Invalid `signature`',
  ],
  ['a redacted thought of elsewhere', [hi, said({ type: 'redacted_thinking', data: 'y' })], 'Invalid `data`'],
  [
    'a marker on a thought',
    [hi, said({ type: 'thinking', thinking: 'x', signature: 'y', cache_control: {} })],
    'cache_control',
  ],
])('a history with %s is refused', async (_, messages, reason) => {
  const refused = await judge(messages)
  expect(refused.status).toBe(400)
  expect(JSON.parse(refused.text)).toMatchObject({
    type: 'error',
    error: { type: 'invalid_request_error', message: expect.stringContaining(reason) },
  })
})

test.each([
  ['no model', { model: undefined }, 'model: Field required'],
  ['no max_tokens', { max_tokens: undefined }, 'max_tokens: Field required'],
  ['max_tokens of zero', { max_tokens: 0 }, 'max_tokens'],
  [
    'a tool name with a space',
    { tools: [{ name: 'a b', input_schema: { type: 'object' } }] },
    'tools.0.name',
  ],
  [
    'two tools of one name',
    {
      tools: [
        { name: 'a', input_schema: { type: 'object' } },
        { name: 'a', input_schema: { type: 'object' } },
      ],
    },
    'unique',
  ],
  [
    'a schema that is no object',
    { tools: [{ name: 'a', input_schema: { type: 'string' } }] },
    'input_schema',
  ],
  ['an empty system block', { system: [{ type: 'text', text: '' }] }, 'system.0'],
  ['a budget beyond the limit', { thinking: { type: 'enabled', budget_tokens: 2000 } }, 'max_tokens'],
  ['a removed field', { temperature: 0 }, 'temperature'],
  [
    'five cache markers',
    {
      system: Array.from({ length: 5 }, () => ({
        type: 'text',
        text: 'x',
        cache_control: { type: 'ephemeral' },
      })),
    },
    'maximum of 4',
  ],
])('a request with %s is refused', async (_, more, reason) => {
  const refused = await judge([hi], more)
  expect(refused.status).toBe(400)
  expect(refused.text).toContain(reason)
})

test('a valid history of every kind of block is accepted', async () => {
  const messages = [
    hi,
    said({ type: 'text', text: 'x' }, use('a'), use('b')),
    told(answer('b'), answer('a', { is_error: true }), { type: 'text', text: 'y' }),
    said({ type: 'text', text: 'z' }),
    hi,
    hi,
  ]
  expect((await judge(messages)).status).toBe(200)
})

test('a body that is no JSON or no UTF-8 is refused', async () => {
  await using server = await startScriptedServer({ respond: () => [text('ok')] })
  expect(await post(server.url, '{')).toMatchObject({ status: 400 })
  expect(await post(server.url, new Uint8Array([0x7b, 0xff, 0x7d]))).toMatchObject({ status: 400 })
  expect(await post(server.url, 'null')).toMatchObject({ status: 400 })
})

test('a refused request uses up no script entry; beyond the script comes 500', async () => {
  await using server = await startScriptedServer({ script: [[text('first')]] })
  const good = { model: 'm', max_tokens: 1, messages: [hi] }
  expect((await post(server.url, {})).status).toBe(400)
  expect((await post(server.url, good)).text).toContain('first')
  expect(await post(server.url, good)).toMatchObject({
    status: 500,
    text: expect.stringContaining('no reply for request 2'),
  })
})

test('other routes are not found', async () => {
  await using server = await startScriptedServer({ respond: () => [text('ok')] })
  expect((await fetch(`${server.url}/v1/messages`)).status).toBe(404)
  expect((await fetch(`${server.url}/v1/other`, { method: 'POST', body: '{}' })).status).toBe(404)
})

test('a key can be asked for', async () => {
  const good = { model: 'm', max_tokens: 1, messages: [hi] }
  await using server = await startScriptedServer({ respond: () => [text('ok')], requireKey: 'right' })
  expect((await post(server.url, good)).status).toBe(401)
  expect((await post(server.url, good, { 'x-api-key': 'wrong' })).status).toBe(401)
  expect((await post(server.url, good, { 'x-api-key': 'right' })).status).toBe(200)
  expect((await post(server.url, good, { authorization: 'Bearer right' })).status).toBe(200)
  expect(JSON.stringify(server.requests.map((request) => request.headers))).not.toMatch(/right|wrong/)
})

test('a thought that comes back altered, or not at all while its calls are answered, is refused', async () => {
  await using server = await startScriptedServer({
    script: [[thinking('deep'), redacted('eHg='), toolUse('Read')]],
    respond: () => [text('ok')],
  })
  const base = { model: 'm', max_tokens: 10 }
  const sent = await post(server.url, { ...base, messages: [hi] })
  const signature = /"signature":"(sig_[^"]+)"/.exec(sent.text)?.[1]
  const thought = { type: 'thinking', thinking: 'deep', signature }
  const secret = { type: 'redacted_thinking', data: 'eHg=' }
  const call = use('toolu_0001')
  const send = async (...content: object[]) =>
    (await post(server.url, { ...base, messages: [hi, said(...content), told(answer('toolu_0001'))] })).status
  expect(await send(thought, secret, call)).toBe(200)
  expect(await send({ ...thought, thinking: 'deep.' }, secret, call)).toBe(400)
  expect(await send(thought, { ...secret, data: 'eHk=' }, call)).toBe(400)
  expect(await send(secret, thought, call)).toBe(400)
  expect(await send(call)).toBe(400)
})

test('a call whose id comes a second time may come back with the thoughts of either, and no others', async () => {
  const read = toolUse('Read', {}, { id: 'x' })
  await using server = await startScriptedServer({
    script: [[read], [thinking('deep'), read]],
    respond: () => [text('ok')],
  })
  const base = { model: 'm', max_tokens: 10 }
  await post(server.url, { ...base, messages: [hi] })
  const sent = await post(server.url, { ...base, messages: [hi] })
  const signature = /"signature":"(sig_[^"]+)"/.exec(sent.text)?.[1]
  const thought = { type: 'thinking', thinking: 'deep', signature }
  const send = async (...content: object[]) =>
    (await post(server.url, { ...base, messages: [hi, said(...content, use('x')), told(answer('x'))] }))
      .status
  expect(await send()).toBe(200)
  expect(await send(thought)).toBe(200)
  expect(await send(thought, thought)).toBe(400)
})

test('a lenient server answers anything', async () => {
  expect((await judge([said(use('a'))], {}, { isStrict: false })).status).toBe(200)
})

test('a script may be a function of the request', async () => {
  const respond = async (request: RecordedRequest) =>
    toolResults(request).length > 0
      ? [
          text(
            toolResults(request)
              .map((result) => `${result.id}:${result.text}:${result.isError}`)
              .join(),
          ),
        ]
      : [toolUse(lastText(request))]
  await using server = await startScriptedServer({ respond })
  const base = { model: 'm', max_tokens: 10 }
  expect((await post(server.url, { ...base, messages: [{ role: 'user', content: 'Glob' }] })).text).toContain(
    '"name":"Glob"',
  )
  const second = await post(server.url, {
    ...base,
    messages: [
      hi,
      said(use('a')),
      told(answer('a', { content: [{ type: 'text', text: 'no' }], is_error: true })),
    ],
  })
  expect(second.text.replaceAll(/"\}\}\n\nevent.*\ndata.*"text":"/g, '')).toContain('a:no:tr')
})

test('a script that throws is told to the client', async () => {
  const respond = () => {
    throw new Error('oh')
  }
  expect(await judge([hi], {}, { respond })).toMatchObject({
    status: 500,
    text: expect.stringContaining('oh'),
  })
})

test('requests are recorded with their times, and whether the client left', async () => {
  await using server = await startScriptedServer({
    script: [[text('a')], [text('b'), silence()], [cut()], status(529, { retryAfter: 3 })],
  })
  const good = { model: 'm', max_tokens: 1, messages: [hi] }
  await post(server.url, good, { 'x-api-key': 'secret' })
  const controller = new AbortController()
  const response = await fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify(good),
    signal: controller.signal,
  })
  controller.abort()
  await response.text().catch(() => undefined)
  await expect(post(server.url, good)).rejects.toThrow('fetch failed')
  await post(server.url, good)
  await Promise.all(server.requests.map((request) => request.ended))
  expect(
    server.requests.map(({ index, status, isClosedByClient }) => ({ index, status, isClosedByClient })),
  ).toEqual([
    { index: 0, status: 200, isClosedByClient: false },
    { index: 1, status: 200, isClosedByClient: true },
    { index: 2, status: null, isClosedByClient: false },
    { index: 3, status: 529, isClosedByClient: false },
  ])
  for (const request of server.requests) expect(request.endedAt).toBeGreaterThanOrEqual(request.arrivedAt)
  expect(server.requests[0]).toMatchObject({ body: good, headers: { 'x-api-key': '[secret]' } })
})

test('closing ends every connection, also one that is being answered, and is harmless twice', async () => {
  const server = await startScriptedServer({ respond: () => [silence()] })
  const waiting = post(server.url, { model: 'm', max_tokens: 1, messages: [hi] }).catch(() => 'ended')
  await expect.poll(() => server.requests).toHaveLength(1)
  await Promise.all([server.close(), server.close()])
  await server.close()
  expect(await waiting).toBe('ended')
  await server.requests[0]?.ended
  expect(server.requests[0]?.isClosedByClient).toBe(false)
})

test('any number of requests are answered side by side', async () => {
  await using server = await startScriptedServer({
    respond: (request) => [delay(20), text(lastText(request))],
  })
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      post(server.url, { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: `n${index}` }] }),
    ),
  )
  expect(answers.every((answer, index) => answer.text.includes(`"text":"n${index}"`))).toBe(true)
})

test('the events of a message are those of the service', async () => {
  await using server = await startScriptedServer({
    script: [message([text('Hello'), toolUse('Read', { a: 1 }), stop('max_tokens')], { id: 'msg_x' })],
    pieceLength: 3,
  })
  const { text: body } = await post(server.url, { model: 'm', max_tokens: 1, messages: [hi] })
  const events = body
    .trim()
    .split('\n\n')
    .map((event) => event.split('\n'))
  expect(events.every(([name, data]) => name?.slice(7) === JSON.parse(data?.slice(6) ?? '').type)).toBe(true)
  expect(events.map(([name]) => name?.slice(7))).toEqual([
    'message_start',
    'ping',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
  expect(body).toContain('"id":"msg_x"')
  expect(body).toContain('"stop_reason":"max_tokens"')
})

test('ids are counted, so that two runs of one script say the same', async () => {
  const run = async () => {
    await using server = await startScriptedServer({
      respond: () => [toolUse('Read'), toolUse('Read'), block({ type: 'search_result' })],
    })
    const base = { model: 'm', max_tokens: 1, messages: [hi] }
    return [await post(server.url, base), await post(server.url, base)]
  }
  const [first, second] = await run()
  expect(await run()).toEqual([first, second])
  expect(second?.text).toContain('toolu_0004')
})
