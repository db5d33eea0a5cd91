import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createNetServer,
  type Server,
  type Socket,
} from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { createAnthropicModel, readAnthropicEnvironment } from '@x/model-anthropic'
import { delay, type ScriptedServer, startScriptedServer, text } from '@x/model-anthropic/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { ask, collect } from './support.ts'

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one[Symbol.asyncDispose]()
})

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  open.push({
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  })
  return (server.address() as AddressInfo).port
}

async function startService(): Promise<ScriptedServer> {
  const service = await startScriptedServer({ script: [[text('Hello.')], [text('Again.')]] })
  open.push(service)
  return service
}

/** A service behind TLS whose certificate only the file vouches for. */
async function startTls(port: number): Promise<number> {
  const server = createTlsServer(
    { key: readFileSync(fixture('service-key.pem')), cert: readFileSync(fixture('service-cert.pem')) },
    (socket) =>
      void socket
        .on('error', () => {})
        .pipe(connect(port, '127.0.0.1'))
        .on('error', () => {})
        .pipe(socket),
  )
  return listen(server)
}

/** A proxy that leads every host to the same port, and writes down who was asked for, and by whom. */
async function startProxy(port: number): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = []
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? '-'}`)
    const { pathname } = new URL(request.url ?? '')
    const onward = connect(port, '127.0.0.1')
    onward.write(`${request.method} ${pathname} HTTP/1.1\r\n`)
    for (const [name, value] of Object.entries(request.headers)) onward.write(`${name}: ${String(value)}\r\n`)
    onward.write('\r\n')
    request.pipe(onward)
    if (response.socket !== null) onward.pipe(response.socket)
  })
  proxy.on('connect', (request, socket: Socket) => {
    asked.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? '-'}`)
    const onward = connect(port, '127.0.0.1').on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    onward.pipe(socket).pipe(onward)
  })
  return { url: `http://127.0.0.1:${await listen(proxy)}`, asked }
}

function answers(env: Readonly<Record<string, string>>, more: object = {}) {
  return collect(createAnthropicModel({ ...readAnthropicEnvironment(env), ...more }).stream(ask()))
}

test('a host that takes the connection and says nothing more is given up, not waited for', async () => {
  const port = await listen(createNetServer())
  const options = { baseURL: `https://127.0.0.1:${port}`, connectTimeoutMs: 50 }
  const { failure } = await collect(createAnthropicModel(options).stream(ask()))
  expect(failure).toMatchObject({
    code: 'connection_lost',
    isRetryable: true,
    message: expect.stringContaining('no connection within 0.05 s (ETIMEDOUT)'),
  })
})

test('a service that thinks for longer than a connection may take is waited for', async () => {
  const service = await startScriptedServer({
    script: [
      [delay(600), text('Hello.')],
      [delay(600), text('Again.')],
    ],
  })
  open.push(service)
  const model = createAnthropicModel({ baseURL: service.url, connectTimeoutMs: 400 })
  for (let turn = 0; turn < 2; turn++) expect((await collect(model.stream(ask()))).failure).toBeUndefined()
})

describe('proxies of the environment', () => {
  test('lead to a service that is reached no other way, with the password of their address', async () => {
    const service = await startService()
    const proxy = await startProxy(service.port)
    const HTTP_PROXY = proxy.url.replace('//', '//me:s%20ecret@')
    const { failure } = await answers({ ANTHROPIC_BASE_URL: 'http://service.test', HTTP_PROXY })
    expect(failure).toBeUndefined()
    const basic = `Basic ${Buffer.from('me:s ecret').toString('base64')}`
    expect(proxy.asked).toEqual([`POST http://service.test/v1/messages ${basic}`])
    expect(service.requests).toHaveLength(1)
  })

  test('are tunnels for https, whose service the extra authorities vouch for', async () => {
    const service = await startService()
    const proxy = await startProxy(await startTls(service.port))
    const env = {
      ANTHROPIC_BASE_URL: 'https://service.test',
      https_proxy: proxy.url,
      HTTPS_PROXY: 'http://127.0.0.1:1',
    }
    const { failure: refused } = await answers(env)
    expect(refused).toMatchObject({
      isRetryable: false,
      message: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    })
    const { failure } = await answers({ ...env, NODE_EXTRA_CA_CERTS: fixture('service-cert.pem') })
    expect(failure).toBeUndefined()
    expect(proxy.asked).toEqual(Array.from({ length: 2 }, () => 'CONNECT service.test:443 -'))
    expect(service.requests).toHaveLength(1)
  })

  test('have no part in what is on this machine, nor in what NO_PROXY names', async () => {
    const service = await startService()
    const proxy = { HTTP_PROXY: 'http://127.0.0.1:1' }
    expect((await answers({ ANTHROPIC_BASE_URL: service.url, ...proxy })).failure).toBeUndefined()
    const elsewhere = {
      ANTHROPIC_BASE_URL: 'http://nobody.invalid',
      ...proxy,
      NO_PROXY: 'a.example, .invalid',
    }
    expect((await answers(elsewhere)).failure).toMatchObject({
      message: expect.stringContaining('nobody.invalid'),
    })
  })

  test('without a scheme are http; what is no proxy is refused at once, its password hidden', () => {
    expect(readAnthropicEnvironment({ HTTPS_PROXY: 'proxy.example:8080' }).proxies).toEqual({
      https: 'http://proxy.example:8080',
    })
    expect(readAnthropicEnvironment({ HTTPS_PROXY: ' ', NO_PROXY: 'a' })).toEqual({})
    const proxies = { https: 'socks5://me:secret@proxy.example' }
    expect(() => createAnthropicModel({ proxies })).toThrow(
      'proxies (HTTPS_PROXY): expected an http or https address, got socks5://***@proxy.example',
    )
  })

  test('authorities that cannot be read are named, and nothing is tried again', async () => {
    const env = { ANTHROPIC_BASE_URL: 'https://service.test', NODE_EXTRA_CA_CERTS: '/nowhere.pem' }
    expect((await answers(env)).failure).toMatchObject({
      code: 'invalid_request',
      isRetryable: false,
      message: expect.stringMatching(/NODE_EXTRA_CA_CERTS.*\/nowhere\.pem/),
    })
  })
})
