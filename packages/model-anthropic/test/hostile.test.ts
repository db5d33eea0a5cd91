import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { createAnthropicModel } from '@x/model-anthropic'
import { expect, test } from 'vitest'
import { ask, collect, type Outcome } from './support.ts'

/** Listens on loopback until the end of the block. */
async function serve(listener: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Asks a service that answers with these bytes, again and again until it is left. */
function readBytes(next: () => Uint8Array | undefined): Promise<Outcome> {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = next()
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
  })
  const model = createAnthropicModel({
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
  })
  return collect(model.stream(ask()))
}

function readEvents(...events: readonly string[]): Promise<Outcome> {
  const bytes = [Buffer.from(events.map((data) => `data: ${data}\n\n`).join(''))]
  return readBytes(() => bytes.shift())
}

const start = '{"type":"message_start","message":{"id":"m","model":"x","usage":{"input_tokens":1}}}'
const end = '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}'

test.each([301, 302, 307, 308])(
  'a redirect (%i) is not followed: keys and headers would go along',
  async (status) => {
    const heard: unknown[] = []
    await using elsewhere = await serve((request, response) => {
      heard.push(request.headers)
      response.end()
    })
    await using service = await serve((request, response) => {
      request.resume()
      response.writeHead(status, { location: `${elsewhere.url}/v1/messages` }).end()
    })
    const model = createAnthropicModel({
      baseURL: service.url,
      apiKey: 'sk-secret',
      customHeaders: { 'x-mine': 'own' },
    })
    const { failure } = await collect(model.stream(ask()))
    expect(heard).toEqual([])
    expect(failure).toMatchObject({
      status,
      isRetryable: false,
      message: expect.stringContaining('redirect'),
    })
  },
)

test('an event of very many empty lines does not fill the memory', async () => {
  const lines = Buffer.from('data:\n'.repeat(100_000))
  let sent = 0
  const { failure } = await readBytes(() => (sent++ < 100 ? lines : undefined))
  expect(failure).toMatchObject({ code: 'connection_lost', message: expect.stringContaining('longer than') })
  expect(sent).toBeLessThan(50)
})

test('an error page without an end is cut, and its connection closed', async () => {
  const closed = Promise.withResolvers<void>()
  await using service = await serve((request, response) => {
    request.resume()
    response.writeHead(500, { 'content-type': 'text/plain' })
    const line = `${'Out of order. '.repeat(100)}\n`
    const timer = setInterval(() => response.write(line.repeat(10)), 1)
    response.on('close', () => {
      clearInterval(timer)
      closed.resolve()
    })
  })
  const { failure } = await collect(createAnthropicModel({ baseURL: service.url }).stream(ask()))
  expect(failure).toMatchObject({ status: 500, message: expect.stringMatching(/^Out of order/) })
  await closed.promise
})

test('an error page that breaks off is told by its status and what came of it', async () => {
  await using service = await serve((request, response) => {
    request.resume()
    response.writeHead(503, { 'content-length': 1000 })
    response.write('Back soon', () => response.destroy())
  })
  const { failure } = await collect(createAnthropicModel({ baseURL: service.url }).stream(ask()))
  expect(failure).toMatchObject({ status: 503, code: 'server_error', message: 'Back soon' })
})

test('an https address is spoken to with TLS only', async () => {
  const heard = Promise.withResolvers<number | undefined>()
  const listener = createNetServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (bytes) => {
      heard.resolve(bytes[0])
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  const model = createAnthropicModel({ baseURL: `https://127.0.0.1:${port}`, apiKey: 'sk-secret' })
  const { failure } = await collect(model.stream(ask()))
  listener.close()
  const tlsHandshake = 22
  expect(await heard.promise).toBe(tlsHandshake)
  expect(failure).toMatchObject({ code: 'connection_lost', status: null })
})

test('a complete answer ends although the service goes on sending comments', async () => {
  await using service = await serve((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${start}\n\ndata: ${end}\n\n`)
    const timer = setInterval(() => response.write(': still here\n\n'), 20)
    response.on('close', () => clearInterval(timer))
  })
  const { events, failure } = await collect(createAnthropicModel({ baseURL: service.url }).stream(ask()))
  expect([events.at(-1)?.type, failure]).toEqual(['message-end', undefined])
})

test.each(['-5', '1e400', '"7"', 'null'])('a count of %s tokens is none', async (count) => {
  const { events } = await readEvents(start, end.replace('2', count))
  expect(events.at(-1)).toMatchObject({ usage: { input_tokens: 1, output_tokens: 0 } })
})

test('an input that is nested too deeply to be written out is an input error', async () => {
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`
  const { events } = await readEvents(
    start,
    '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"X","input":{}}}',
    JSON.stringify({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: deep },
    }),
    '{"type":"content_block_stop","index":0}',
    end,
  )
  const block = events.find(({ type }) => type === 'block-end')
  expect(block).toMatchObject({ block: { input: {} }, inputError: expect.stringContaining('nested') })
})

test('an event that is nested too deeply to be written out is a lost connection', async () => {
  const { failure, events } = await readEvents(
    start,
    `{"type":"new","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    end,
  )
  expect(failure).toMatchObject({ code: 'connection_lost' })
  expect(() => JSON.stringify(events)).not.toThrow()
})

test('a key that no header can carry is wrong use and not tried again', async () => {
  const { failure } = await collect(createAnthropicModel({ apiKey: 'sk-☃-secret' }).stream(ask()))
  expect(failure).toMatchObject({ code: 'invalid_request', isRetryable: false })
})

test('a port that a fetch may not speak to is wrong use and not tried again', async () => {
  const model = createAnthropicModel({ baseURL: 'http://127.0.0.1:9', fetch })
  const { failure } = await collect(model.stream(ask()))
  expect(failure).toMatchObject({ code: 'invalid_request', isRetryable: false })
})
