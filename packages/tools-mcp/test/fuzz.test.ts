import { tmpdir } from 'node:os'
import { createMcpConnections } from '@x/tools-mcp'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fakeServer, listed } from './fake-server.ts'
import { askFixture, callTool, fixture, markedConnections, statusOf } from './helpers.ts'

/** Lines that look more and more like messages. */
const line = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc
    .record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0', 2),
        id: fc.oneof(fc.integer({ min: 1000 }), fc.string(), fc.constant(null), fc.double()),
        method: fc.oneof(
          fc.constantFrom(
            'ping',
            'roots/list',
            'sampling/createMessage',
            'elicitation/create',
            'notifications/progress',
          ),
          fc.string(),
          fc.integer(),
        ),
        params: fc.oneof(fc.json(), fc.dictionary(fc.string(), fc.jsonValue())),
        result: fc.jsonValue(),
        error: fc.oneof(fc.jsonValue(), fc.record({ code: fc.integer(), message: fc.string() })),
      },
      { requiredKeys: [] },
    )
    .map((message) => JSON.stringify(message)),
  fc.array(fc.jsonValue(), { maxLength: 3 }).map((list) => JSON.stringify(list)),
)

test('no line of a program crashes the host or keeps the next answer from coming', async () => {
  const { connections, count } = markedConnections([fixture('one')])
  await connections.connect()
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 20 }), fc.uint8Array(), async (lines, raw) => {
      const bytes = Buffer.concat([Buffer.from(lines.join('\n')), Buffer.from('\n'), raw, Buffer.from('\n')])
      await connections.call('one', 'say', { input: { bytes: bytes.toString('base64') } })
      expect(await askFixture(connections, 'one.echo', { n: 1 })).toEqual({ n: 1 })
    }),
    { numRuns: 150 },
  )
  await connections.close()
  expect(count()).toBe(0)
})

test('no list of tools and no result crashes the host', async () => {
  const part = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        type: fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 'x'),
        text: fc.jsonValue(),
        data: fc.oneof(fc.string(), fc.base64String(), fc.jsonValue()),
        mimeType: fc.jsonValue(),
        resource: fc.jsonValue(),
        uri: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  )
  const tool = fc.record(
    {
      name: fc.oneof(fc.string(), fc.jsonValue()),
      description: fc.jsonValue(),
      inputSchema: fc.jsonValue(),
      annotations: fc.jsonValue(),
      _meta: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(tool),
      fc.array(part),
      fc.jsonValue(),
      async (tools, content, structuredContent) => {
        const call = () => ({ content, structuredContent })
        const server = fakeServer('s', { tools: [listed('ok'), ...tools], call })
        await using connections = createMcpConnections([server], { cwd: tmpdir() })
        await connections.connect()
        expect(statusOf(connections, 's').status).toBe('connected')
        const names = connections.tools().map(({ name }) => name)
        expect(new Set(names).size).toBe(names.length)
        for (const offered of connections.tools()) {
          expect(offered.name).toMatch(/^[\w-]{1,64}$/)
          expect(offered.inputJsonSchema).toMatchObject({ type: 'object' })
          offered.inputSchema.safeParse({ a: 1 })
        }
        const [ok] = connections.tools()
        if (ok === undefined) throw new Error('the good tool is missing')
        const { data } = await callTool(ok, {})
        expect((data as readonly unknown[]).length).toBeGreaterThan(0)
      },
    ),
    { numRuns: 150 },
  )
})
