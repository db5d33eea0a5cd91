import { tmpdir } from 'node:os'
import { createMcpConnections, isMcpError, type McpServer } from '@x/tools-mcp'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fakeServer, listed } from './fake-server.ts'

/** A server whose connections are counted, and whose starts may fail or hang. */
function countedServer(name: string, starts: readonly ('works' | 'fails' | 'hangs')[]) {
  const facts = { open: 0, most: 0, begun: 0 }
  const { config } = fakeServer(name, {
    tools: [listed('t')],
    call: () => ({ content: [{ type: 'text', text: name }] }),
    other: (method) => (method === 'tools/list' && facts.begun % 3 === 2 ? { tools: 'none' } : undefined),
  })
  if (config.type !== 'in-process') throw new Error('expected a server in memory')
  const createTransport: typeof config.createTransport = () => {
    const start = starts[facts.begun % starts.length]
    facts.begun += 1
    if (start === 'fails') throw new Error('start failed')
    const transport = config.createTransport()
    const { send, close } = { send: transport.send.bind(transport), close: transport.close.bind(transport) }
    facts.open += 1
    facts.most = Math.max(facts.most, facts.open)
    let isOpen = true
    transport.send = async (message, options) => (start === 'hangs' ? undefined : send(message, options))
    transport.close = async () => {
      if (isOpen) facts.open -= 1
      isOpen = false
      await close()
    }
    return transport
  }
  const server: McpServer = { name, config: { ...config, createTransport } }
  return { server, facts }
}

type Connections = ReturnType<typeof createMcpConnections>

const operations: Readonly<Record<string, (connections: Connections, server: string) => Promise<unknown>>> = {
  reconnect: (connections, server) => connections.reconnect(server),
  off: (connections, server) => connections.setEnabled(server, false),
  on: (connections, server) => connections.setEnabled(server, true),
  wait: (connections, server) => connections.waitFor(server, { timeoutMs: 5 }),
  call: (connections, server) => connections.call(server, 't', { input: {} }),
  abortedCall: (connections, server) =>
    connections.call(server, 't', { input: {}, signal: AbortSignal.abort('stop') }),
  tick: () => new Promise((resolve) => setImmediate(resolve)),
}

test('whatever is asked at the same time, a server has one connection at most, and none after close', async () => {
  const start = fc.constantFrom('works', 'works', 'fails', 'hangs')
  const step = fc.record({
    operation: fc.constantFrom(...Object.keys(operations)),
    server: fc.constantFrom('a', 'b'),
    isAwaited: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(start, { minLength: 1, maxLength: 4 }),
      fc.array(step, { maxLength: 12 }),
      async (starts, steps) => {
        const counted = ['a', 'b'].map((name) => countedServer(name, starts))
        const connections = createMcpConnections(
          counted.map(({ server }) => server),
          { cwd: tmpdir(), limits: { startMs: 20 } },
        )
        const running: Promise<unknown>[] = []
        for (const { operation, server, isAwaited } of steps) {
          const done = operations[operation]?.(connections, server).catch((error: unknown) => {
            if (!isMcpError(error) && error !== 'stop') throw error
          })
          if (done !== undefined) running.push(done)
          if (isAwaited) await done
        }
        await connections.close()
        await Promise.all(running)
        expect(counted.map(({ facts }) => facts.open)).toEqual([0, 0])
        for (const { facts } of counted) expect(facts.most).toBeLessThanOrEqual(1)
        expect(connections.tools()).toEqual([])
      },
    ),
    { numRuns: 100 },
  )
})
