import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from '@x/model-anthropic/testing'
import { expect, test } from 'vitest'
import { Cli } from './cli.ts'

/** Leads every host to one port, and writes down who was asked for. */
function createProxy(port: number, asked: string[]) {
  const proxy = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    const { host, pathname } = new URL(incoming.url ?? '')
    asked.push(host)
    const { method, headers } = incoming
    const onward = request({ host: '127.0.0.1', port, path: pathname, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(onward)
  })
  // The way of `fetch`.
  return proxy.on('connect', ({ url = '' }: IncomingMessage, socket: Duplex) => {
    asked.push(url)
    const onward = connect(port, '127.0.0.1').on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    onward.pipe(socket).pipe(onward)
  })
}

test('without a proxy nothing loads the fetch of Node, which would make every start slower', async () => {
  await using cli = await Cli.start([[text('Hello.')]])
  cli.write('spy.mjs', "process.on('exit', () => console.error(process.moduleLoadList.join()))")
  const { stdout, stderr } = await cli.run(['-p', 'Hi'], {
    env: {
      NODE_OPTIONS: `--import=file://${cli.path('spy.mjs')}`,
      HTTP_PROXY: undefined,
      HTTPS_PROXY: undefined,
    },
  })
  expect(stdout).toBe('Hello.\n')
  expect(stderr).toContain('_http_client')
  expect(stderr).not.toContain('undici')
})

test('a proxy of the settings leads to the model and to MCP servers', async () => {
  await using cli = await Cli.start([[text('Hello.')]])
  const asked: string[] = []
  const proxy = createProxy(cli.server.port, asked)
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = proxy.address() as AddressInfo
    const settings = {
      env: { HTTP_PROXY: `http://127.0.0.1:${port}`, ANTHROPIC_BASE_URL: 'http://service.test' },
    }
    const servers = { mcpServers: { far: { type: 'http', url: 'http://mcp.test/mcp' } } }
    const { code, stdout } = await cli.run([
      '-p',
      'Hi',
      '--settings',
      JSON.stringify(settings),
      '--mcp-config',
      JSON.stringify(servers),
    ])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello.\n' })
    expect(new Set(asked)).toEqual(new Set(['service.test', 'mcp.test:80']))
  } finally {
    proxy.closeAllConnections()
    proxy.close()
  }
})

test('a proxy that hangs up without an answer keeps nobody from ending', async () => {
  await using cli = await Cli.start([[text('Hello.')]])
  const proxy = createServer().on('connect', (_, socket: Duplex) => socket.destroy())
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = proxy.address() as AddressInfo
    const { code, stdout } = await cli.run(
      ['-p', 'Hi', '--mcp-config', '{"mcpServers":{"far":{"type":"http","url":"http://mcp.test/mcp"}}}'],
      { env: { HTTP_PROXY: `http://127.0.0.1:${port}`, MCP_TIMEOUT: '500' } },
    )
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello.\n' })
  } finally {
    proxy.closeAllConnections()
    proxy.close()
  }
})

test('a proxy that is none is told, and nothing begins', async () => {
  await using cli = await Cli.start()
  const { code, stderr } = await cli.run(['-p', 'Hi'], {
    env: { HTTPS_PROXY: 'socks5://me:secret@proxy.example' },
  })
  expect(code).toBe(1)
  expect(stderr).toContain('HTTPS_PROXY')
  expect(stderr).not.toContain('secret')
  expect(cli.server.requests).toEqual([])
})
