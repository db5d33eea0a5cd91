import type { Message, ModelRequest, ToolDefinition } from '@x/contract'
import { type AnthropicModelOptions, createAnthropicModel } from '@x/model-anthropic'
import { type RecordedRequest, startScriptedServer, text } from '@x/model-anthropic/testing'
import * as fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { ask, collect, pair } from './support.ts'

const tool = (name: string): ToolDefinition => ({
  name,
  description: `Does ${name}`,
  input_schema: { type: 'object', properties: {} },
})
const call = (id: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'Read', input: { b: 1, a: [1, 'é'] } }],
})
const result = (id: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'x' }],
})
const user = (content: string): Message => ({ role: 'user', content })
const marker = { cache_control: { type: 'ephemeral' } }

afterEach(() => vi.unstubAllEnvs())

async function send(
  request: Partial<ModelRequest>,
  options: AnthropicModelOptions = {},
): Promise<RecordedRequest> {
  await using both = await pair([[text('ok')]], options)
  const { failure } = await collect(both.model.stream(ask(request)))
  expect(failure).toBeUndefined()
  const [recorded] = both.server.requests
  if (recorded === undefined) throw new Error('nothing came')
  return recorded
}

function withoutMarkers(json: string): string {
  return json.replaceAll(/,"cache_control":\{[^}]*\}/g, '')
}

test('tools come before system, and system before messages', async () => {
  const { body } = await send({ tools: [tool('Read')], system: [{ type: 'text', text: 'Be brief.' }] })
  expect(Object.keys(body)).toEqual(['model', 'max_tokens', 'stream', 'tools', 'system', 'messages'])
})

test('without tools and system neither is sent', async () => {
  const { body } = await send({})
  expect(Object.keys(body)).toEqual(['model', 'max_tokens', 'stream', 'messages'])
})

test('cache markers stand after the system prompt, the newest message and the user message before it', async () => {
  const messages = [user('one'), call('t1'), result('t1'), call('t2'), result('t2')]
  const { body } = await send({
    messages,
    tools: [tool('Read')],
    system: [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
  })
  expect(body.tools?.[0]).not.toHaveProperty('cache_control')
  expect(body.system).toEqual([
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b', ...marker },
  ])
  expect(body.messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'one' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't1', name: 'Read', input: { b: 1, a: [1, 'é'] } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x', ...marker }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't2', name: 'Read', input: { b: 1, a: [1, 'é'] } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't2', content: 'x', ...marker }] },
  ])
})

test('without a system prompt the marker stands after the tools', async () => {
  const { body } = await send({ tools: [tool('Read'), tool('Write')] })
  expect(body.tools).toEqual([tool('Read'), { ...tool('Write'), ...marker }])
})

test('a marker never stands on a thought', async () => {
  await using both = await pair([[text('ok')]], { serverOptions: { isStrict: false } })
  const thought: Message = {
    role: 'assistant',
    content: [{ type: 'thinking', thinking: 'hm', signature: 's' }],
  }
  await collect(both.model.stream(ask({ messages: [user('hi'), thought] })))
  const [first, second] = both.server.requests[0]?.body.messages ?? []
  expect(first?.content).toEqual([{ type: 'text', text: 'hi', ...marker }])
  expect(second?.content).toEqual([{ type: 'thinking', thinking: 'hm', signature: 's' }])
})

test.each([
  [{ promptCaching: '1h' as const }, { type: 'ephemeral', ttl: '1h' }],
  [{ promptCaching: '5m' as const }, { type: 'ephemeral' }],
  [{ promptCaching: 'off' as const }, undefined],
  [{ promptCachingOffFor: ['sonnet'] }, undefined],
  [{ promptCachingOffFor: ['haiku'] }, { type: 'ephemeral' }],
])('caching can be lengthened and turned off: %j', async (options, expected) => {
  const { body } = await send({}, options)
  expect(body.messages[0]?.content[0]).toMatchObject({ text: 'hi' })
  expect(body.messages.at(-1)?.content.at(-1)).toEqual({
    type: 'text',
    text: 'hi',
    ...(expected === undefined ? {} : { cache_control: expected }),
  })
})

test('from turn to turn the kept part is the same bytes, apart from the moved markers', async () => {
  await using server = await startScriptedServer({ respond: () => [text('ok')] })
  const model = createAnthropicModel({ baseURL: server.url })
  const tools = [tool('Read'), tool('Write')]
  const system = [{ type: 'text' as const, text: 'Be brief. é😀' }]
  const messages: Message[] = [user('one')]
  for (let turn = 0; turn < 6; turn += 1) {
    await collect(model.stream(ask({ tools, system, messages: [...messages] })))
    messages.push(call(`t${turn}`), result(`t${turn}`))
  }
  const bodies = server.requests.map((request) => request.text)
  for (const [index, text] of bodies.slice(1).entries()) {
    const kept = withoutMarkers(bodies[index] ?? '').slice(0, -2)
    expect(withoutMarkers(text).startsWith(kept)).toBe(true)
  }
  const heads = new Set(bodies.map((text) => text.slice(0, text.indexOf('"messages"'))))
  expect(heads.size).toBe(1)
})

test('a cached body is the same as one written out at once', async () => {
  const block = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: fc.string({ minLength: 1, unit: 'grapheme' }) }),
    fc.record({
      type: fc.constant('document' as const),
      source: fc.record({
        type: fc.constant('text' as const),
        media_type: fc.constant('text/plain' as const),
        data: fc.string(),
      }),
    }),
  )
  const message = fc.record({
    role: fc.constant('user' as const),
    content: fc.oneof(fc.string({ minLength: 1 }), fc.array(block, { minLength: 1, maxLength: 3 })),
  })
  let sent = ''
  const model = createAnthropicModel({
    fetch: async (_, init) => {
      sent = new TextDecoder().decode(init?.body as Uint8Array<ArrayBuffer>)
      return new Response('{}', { status: 400 })
    },
  })
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 5 }), async (messages) => {
      for (let length = 1; length <= messages.length; length += 1) {
        await collect(model.stream(ask({ messages: messages.slice(0, length) })))
        const plain = messages.slice(0, length).map(({ role, content }) => ({
          role,
          content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
        }))
        expect(JSON.parse(withoutMarkers(sent)).messages).toEqual(
          JSON.parse(withoutMarkers(JSON.stringify(plain))),
        )
        expect(sent.match(/"cache_control"/g)?.length).toBeLessThanOrEqual(4)
      }
    }),
    { numRuns: 60 },
  )
})

test.each([
  [{}, {}, 128_000],
  [{ model: 'claude-haiku-4-5' }, {}, 64_000],
  [{ model: 'my-local-model' }, {}, 32_000],
  [{}, { maxOutputTokens: 500 }, 500],
  [{ maxOutputTokens: 77 }, { maxOutputTokens: 500 }, 77],
])(
  'the output limit is the request’s, else the option’s, else the model’s: %j %j',
  async (request, options, expected) => {
    expect((await send(request, options)).body.max_tokens).toBe(expected)
  },
)

test.each([
  [
    'claude-sonnet-4-5',
    { type: 'enabled' as const, budgetTokens: 4000 },
    { type: 'enabled', budget_tokens: 4000 },
  ],
  [
    'claude-sonnet-4-5',
    { type: 'enabled' as const, budgetTokens: 90_000 },
    { type: 'enabled', budget_tokens: 63_999 },
  ],
  ['claude-sonnet-4-5', { type: 'adaptive' as const }, undefined],
  ['claude-sonnet-5-5', { type: 'enabled' as const, budgetTokens: 4000 }, { type: 'adaptive' }],
  ['claude-sonnet-5-5', { type: 'disabled' as const }, { type: 'disabled' }],
  ['claude-opus-5-5', { type: 'disabled' as const }, undefined],
  ['local', { type: 'enabled' as const, budgetTokens: 2000 }, { type: 'enabled', budget_tokens: 2000 }],
])('thinking is asked for in the way the model knows: %s %j', async (model, thinking, expected) => {
  expect((await send({ model }, { thinking })).body['thinking']).toEqual(expected)
})

test.each([
  ['claude-opus-5-5', 'low', 'low'],
  ['claude-sonnet-5-5[1m]', 'max', 'max'],
  ['claude-haiku-5-5', 'xhigh', 'xhigh'],
  ['claude-opus-4-6', 'max', 'max'],
  ['claude-opus-4-6', 'xhigh', 'high'],
  ['claude-mythos-preview', 'xhigh', 'high'],
  ['claude-opus-4-5-20251101', 'max', 'high'],
  ['claude-opus-4-5-20251101', 'medium', 'medium'],
] as const)('%s is asked for effort %s as %s', async (model, effort, expected) => {
  const { body } = await send({ model, effort })
  expect(body['output_config']).toEqual({ effort: expected })
})

test.each(['claude-sonnet-4-5', 'claude-haiku-4-5-20251001', 'qwen3-coder'])(
  '%s knows no effort: its request is the same, byte for byte, as without',
  async (model) => {
    const plain = await send({ model })
    expect((await send({ model, effort: 'low' }, { effort: 'high' })).text).toBe(plain.text)
  },
)

test('the effort is the request’s, else the option’s, and stands before the conversation', async () => {
  expect((await send({ effort: 'low' }, { effort: 'high' })).body['output_config']).toEqual({ effort: 'low' })
  const { body } = await send({}, { effort: 'high' })
  expect(Object.entries(body).slice(0, 3)).toEqual([
    ['model', 'claude-sonnet-5-5'],
    ['max_tokens', 128_000],
    ['output_config', { effort: 'high' }],
  ])
})

test('extra fields reach the body, but not in place of the conversation', async () => {
  const { body } = await send(
    {},
    {
      effort: 'low',
      extraBody: { service_tier: 'standard_only', messages: [], stream: false, max_tokens: 5 },
    },
  )
  expect(body).toMatchObject({
    service_tier: 'standard_only',
    output_config: { effort: 'low' },
    max_tokens: 5,
    stream: true,
  })
  expect(body.messages).toHaveLength(1)
})

test('a key goes out as x-api-key and wins over a token; a token goes out as Bearer; neither is needed', async () => {
  expect((await send({}, { apiKey: 'k', authToken: 't' })).headers).toMatchObject({ 'x-api-key': '[secret]' })
  expect((await send({}, { apiKey: 'k', authToken: 't' })).headers).not.toHaveProperty('authorization')
  expect((await send({}, { authToken: 't' })).headers).toMatchObject({ authorization: '[secret]' })
  const { headers } = await send({})
  expect(Object.keys(headers)).not.toContain('authorization')
  expect(Object.keys(headers)).not.toContain('x-api-key')
})

test('betas and custom headers are sent, and the large window asks for its beta where it needs one', async () => {
  const { headers } = await send(
    {},
    { betas: ['one', 'two', 'one'], customHeaders: { 'X-Gateway': 'yes', 'User-Agent': 'mine' } },
  )
  expect(headers).toMatchObject({ 'anthropic-beta': 'one,two', 'x-gateway': 'yes', 'user-agent': 'mine' })
  const old = await send({ model: 'claude-sonnet-4-5[1m]' })
  expect(old.headers['anthropic-beta']).toBe('context-1m-2025-08-07')
  expect(old.body.model).toBe('claude-sonnet-4-5')
  expect((await send({ model: 'claude-sonnet-5-5[1m]' })).headers).not.toHaveProperty('anthropic-beta')
})

test('nothing is taken from the environment', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'stray-key')
  vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'stray-token')
  vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:1')
  vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'X-Stray: yes\nUser-Agent: stray')
  vi.stubEnv('ANTHROPIC_LOG', 'debug')
  const { headers } = await send({})
  expect(headers).not.toHaveProperty('authorization')
  expect(headers).not.toHaveProperty('x-api-key')
  expect(headers).not.toHaveProperty('x-stray')
  expect(headers['user-agent']).not.toBe('stray')
})

test('bodies are announced with their length in bytes, by a fetch of the host’s too', async () => {
  const messages = [user('é'.repeat(40_000)), call('t1'), result('t1')]
  const plain = await send({ messages })
  expect(plain.headers['content-length']).toBe(String(Buffer.byteLength(plain.text)))
  expect(plain.headers).not.toHaveProperty('transfer-encoding')
  const fetched = await send({ messages }, { fetch })
  expect(fetched.headers['content-length']).toBe(plain.headers['content-length'])
  expect(fetched.text).toBe(plain.text)
})

test('a base URL may have a path and a slash at its end', async () => {
  await using server = await startScriptedServer({ respond: () => [text('x')] })
  await collect(createAnthropicModel({ baseURL: `${server.url}/` }).stream(ask()))
  await collect(createAnthropicModel({ baseURL: `${server.url}/gateway/` }).stream(ask()))
  expect(server.requests.map((request) => request.path)).toEqual(['/v1/messages', '/gateway/v1/messages'])
})
