import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import {
  createMcpConnections,
  isMcpError,
  type McpConnectionsOptions,
  type McpHttpConfig,
} from '@x/tools-mcp'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { listed } from './fake-server.ts'
import { statusOf } from './helpers.ts'
import { startHttpServer } from './http-server.ts'

async function connect(
  url: string,
  config: Partial<McpHttpConfig> = {},
  options: Partial<McpConnectionsOptions> = {},
) {
  const full: McpHttpConfig = { type: 'http', url, headers: {}, ...config }
  const connections = createMcpConnections([{ name: 'h', config: full }], { cwd: tmpdir(), ...options })
  await connections.connect()
  return connections
}

const text = (value: string) => ({ content: [{ type: 'text', text: value }] })

test('connects, sends its headers with every request, calls, and ends its session', async () => {
  await using server = await startHttpServer({
    call: ({ message, answer }) => answer(text(JSON.stringify(message.params))),
  })
  const connections = await connect(server.url, { headers: { authorization: 'Bearer abc' } })
  expect(statusOf(connections, 'h')).toMatchObject({ status: 'connected', tools: ['mcp__h__t'] })
  expect((await connections.call('h', 't', { input: { a: 1 } })).content).toHaveLength(1)
  expect(server.sessions()).toBe(1)
  await connections.close()
  expect(server.sessions()).toBe(0)
  expect(server.seen.every(({ headers }) => headers.authorization === 'Bearer abc')).toBe(true)
})

test('an answer as a stream works, with progress before it', async () => {
  await using server = await startHttpServer({
    call({ message, response, stream }) {
      const { progressToken } = Object(message.params?.['_meta'])
      const progress = { method: 'notifications/progress', params: { progressToken, progress: 1 } }
      stream(progress, { id: message.id, result: text('done') })
      response.end()
    },
  })
  await using connections = await connect(server.url)
  const seen: unknown[] = []
  const result = await connections.call('h', 't', {
    input: {},
    onProgress: (progress) => seen.push(progress),
  })
  expect(result.content).toEqual(text('done').content)
  expect(seen).toEqual([{ progress: 1 }])
})

test.each([
  ['before the head of the answer', ({ response }: { response: ServerResponse }) => response.destroy()],
  [
    'in the middle of a stream',
    ({ response, stream }: { response: ServerResponse; stream: () => void }) => {
      stream()
      setTimeout(() => response.destroy(), 20)
    },
  ],
  [
    'at the end of a stream without an answer',
    ({ response, stream }: { response: ServerResponse; stream: () => void }) => {
      stream()
      response.end()
    },
  ],
])('case MC-01: a connection that closes %s fails the call at once', async (_, call) => {
  await using server = await startHttpServer({ call })
  await using connections = await connect(server.url)
  await expect(connections.call('h', 't', { input: {} })).rejects.toMatchObject({
    name: 'McpError',
    message: expect.stringMatching(/^MCP server h (is gone|answered with an error)/),
  })
})

test('a 401 at the start or during a call marks the server as needing a login', async () => {
  let isLocked = true
  await using server = await startHttpServer({
    before: (_, response) => isLocked && Boolean(response.writeHead(401).end()),
    call: ({ answer }) => answer(text('in')),
  })
  await using connections = await connect(server.url)
  expect(statusOf(connections, 'h')).toMatchObject({
    status: 'needs-auth',
    error: 'requires authentication',
    tools: [],
  })
  await expect(connections.call('h', 't', { input: {} })).rejects.toMatchObject({ code: 'needs-auth' })
  isLocked = false
  expect((await connections.reconnect('h')).status).toBe('connected')
  isLocked = true
  await expect(connections.call('h', 't', { input: {} })).rejects.toMatchObject({
    code: 'needs-auth',
    message: 'MCP server h requires authentication',
  })
  expect(statusOf(connections, 'h').status).toBe('needs-auth')
})

test('a session that the server has forgotten is made anew, and the call made once more', async () => {
  let calls = 0
  await using server = await startHttpServer({
    call({ answer }) {
      calls += 1
      answer(text(`call ${calls}`))
    },
  })
  await using connections = await connect(server.url)
  const [before] = connections.tools()
  server.forget()
  expect((await connections.call('h', 't', { input: {} })).content).toEqual(text('call 1').content)
  expect(connections.tools()).toEqual([before])
  expect(statusOf(connections, 'h').status).toBe('connected')
})

test('one request gets its limit to begin its answer, and a body its own', async () => {
  const big = 'x'.repeat(2_000_000)
  await using server = await startHttpServer({
    call({ message, answer }) {
      const { arguments: input } = message.params ?? {}
      if (JSON.stringify(input).includes('big')) answer(text(big))
    },
  })
  await using connections = await connect(
    server.url,
    {},
    { limits: { requestMs: 2000, maxMessageChars: 1_000_000 } },
  )
  await expect(connections.call('h', 't', { input: { be: 'big' } })).rejects.toThrow(
    'longer than 1000000 bytes',
  )
  await expect(connections.call('h', 't', { input: { be: 'silent' } })).rejects.toMatchObject({
    code: 'timed-out',
    message: 'MCP server h did not answer in time (2000 ms)',
  })
  expect(statusOf(connections, 'h').status).toBe('connected')
})

test('a call that fails on the network disturbs no other one, and the next one is made', async () => {
  const { promise: isLost, resolve: lose } = Promise.withResolvers<void>()
  await using server = await startHttpServer({
    async call({ message, response, answer }) {
      if (JSON.stringify(message.params).includes('lost')) return void response.destroy()
      await isLost
      answer(text('fine'))
    },
  })
  await using connections = await connect(server.url)
  const other = connections.call('h', 't', { input: { be: 'slow' } })
  await expect(connections.call('h', 't', { input: { be: 'lost' } })).rejects.toMatchObject({
    code: 'server-ended',
  })
  lose()
  expect((await other).content).toEqual(text('fine').content)
  expect((await connections.call('h', 't', { input: {} })).content).toEqual(text('fine').content)
})

test('an abort ends the call at once and tells the server', async () => {
  const { promise: called, resolve } = Promise.withResolvers<void>()
  await using server = await startHttpServer({ call: () => resolve() })
  await using connections = await connect(server.url)
  const controller = new AbortController()
  const call = connections.call('h', 't', { input: {}, signal: controller.signal })
  await called
  controller.abort('stop')
  await expect(call).rejects.toBe('stop')
  await expect.poll(() => server.seen.map(({ said }) => said)).toContain('notifications/cancelled')
})

test.each([
  ['prints headers', 'echo "{\\"x-key\\": \\"$CLAUDE_CODE_MCP_SERVER_NAME\\"}"', 'connected', undefined],
  ['fails', 'exit 3', 'failed', 'headersHelper failed (exit code 3)'],
  ['prints no JSON', 'echo s3cret', 'failed', 'headersHelper did not print JSON'],
  ['prints a list', 'echo [1]', 'failed', 'headersHelper must print a JSON object of texts'],
])('a headersHelper that %s', async (...[, headersHelper, status, error]) => {
  await using server = await startHttpServer()
  await using connections = await connect(server.url, { headersHelper })
  expect(statusOf(connections, 'h')).toMatchObject({ status, ...(error !== undefined && { error }) })
  if (error === undefined) expect(server.seen[0]?.headers['x-key']).toBe('h')
})

test('a redirect within the server is followed, one to elsewhere is not, and nothing is sent there', async () => {
  await using server = await startHttpServer({
    before({ url }, response) {
      const target = { '/mcp/here': '/mcp', '/mcp/there': other.url }[url ?? '']
      return target !== undefined && Boolean(response.writeHead(307, { location: target }).end())
    },
    call: ({ answer }) => answer(text('moved')),
  })
  await using other = await startHttpServer()
  await using here = await connect(`${server.url}/here`, { headers: { authorization: 'secret' } })
  expect((await here.call('h', 't', { input: {} })).content).toEqual(text('moved').content)
  await using there = await connect(`${server.url}/there`, { headers: { authorization: 'secret' } })
  expect(statusOf(there, 'h')).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('not followed'),
  })
  expect(other.seen).toEqual([])
})

test('nobody there is told with its cause', async () => {
  const { url, [Symbol.asyncDispose]: close } = await startHttpServer()
  await close()
  await using connections = await connect(url)
  expect(statusOf(connections, 'h')).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('ECONNREFUSED'),
  })
})

test('the older protocol of two connections works; when its stream ends, so do its calls', async () => {
  let stream: ServerResponse | undefined
  const say = (message: object): unknown =>
    stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      return void stream.write('event: endpoint\ndata: /messages\n\n')
    }
    let body = ''
    for await (const chunk of request) body += chunk
    const { id, method, params } = JSON.parse(body)
    response.writeHead(202).end()
    if (method === 'initialize')
      say({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'old', version: '1' },
        },
      })
    if (method === 'tools/list') say({ id, result: { tools: [listed('t'), listed('hang')] } })
    if (method === 'tools/call' && params.name === 't') say({ id, result: text('old but fine') })
    if (method === 'tools/call' && params.name === 'hang') stream?.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/sse`
  const connections = await connect(url, { type: 'sse' })
  expect((await connections.call('h', 't', { input: {} })).content).toEqual(text('old but fine').content)
  await expect(connections.call('h', 'hang', { input: {} })).rejects.toMatchObject({ code: 'server-ended' })
  await connections.close()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

test.each(['http', 'sse'] as const)(
  'a %s server that never answers its start fails with the limit',
  async (type) => {
    await using server = await startHttpServer({ before: () => true })
    await using connections = await connect(server.url, { type }, { limits: { startMs: 150 } })
    expect(statusOf(connections, 'h')).toMatchObject({
      status: 'failed',
      error: 'did not finish its start within 0.15 s',
    })
  },
)

test('no answer of a server crashes the host or keeps a call waiting', async () => {
  let reply: { type: string; status: number; body: string } | undefined
  await using server = await startHttpServer({
    call: ({ response }) =>
      void response.writeHead(reply?.status ?? 200, { 'content-type': reply?.type ?? '' }).end(reply?.body),
  })
  await using connections = await connect(server.url)
  const message = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record({ jsonrpc: fc.constant('2.0'), id: fc.nat(), result: fc.jsonValue() })
      .map((value) => JSON.stringify(value)),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        type: fc.constantFrom('application/json', 'text/event-stream', 'text/html'),
        status: fc.constantFrom(200, 202, 204, 400, 403, 404, 500),
        body: fc.oneof(
          message,
          message.map((text) => `data: ${text}\n\n`),
        ),
      }),
      async (given) => {
        reply = given
        const outcome = await connections
          .call('h', 't', { input: {} })
          .catch((error: unknown) => (isMcpError(error) ? error.code : Promise.reject(error)))
        expect(outcome).toBeDefined()
        await connections.waitFor('h')
      },
    ),
    { numRuns: 60 },
  )
  reply = undefined
  expect((await connections.reconnect('h')).status).toBe('connected')
})
