import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createToolUseContext, type Tool } from '@x/contract'
import {
  createListMcpResourcesTool,
  createMcpConnections,
  createReadMcpResourceTool,
  type McpConnections,
} from '@x/tools-mcp'
import { afterEach, expect, test } from 'vitest'
import { type FakeServer, fakeServer, listed, ProtocolFault } from './fake-server.ts'
import { temporaryFolder } from './helpers.ts'

const blob = Buffer.from('bytes').toString('base64')
const docs: FakeServer = {
  capabilities: { tools: {}, resources: {} },
  tools: [listed('t')],
  other(method, { cursor, uri }) {
    if (method === 'resources/list') {
      if (cursor === undefined)
        return {
          resources: [{ uri: 'doc:a', name: 'a', mimeType: 'text/plain', icons: [] }, 5],
          nextCursor: 'n',
        }
      return { resources: [{ uri: 'doc:b' }] }
    }
    if (method !== 'resources/read') return undefined
    if (uri === 'doc:b')
      return {
        contents: [
          { uri, mimeType: 'application/pdf', blob },
          { uri, text: 'and text' },
        ],
      }
    throw new ProtocolFault({ code: -32002, message: `no resource ${String(uri)}` })
  },
}
const broken: FakeServer = {
  capabilities: { resources: {} },
  other() {
    throw new ProtocolFault({ code: -32603, message: 'broken' })
  },
}

let open: McpConnections | undefined
afterEach(() => open?.close())

async function connect(fakes: Record<string, FakeServer>): Promise<McpConnections> {
  open = createMcpConnections(
    Object.entries(fakes).map(([name, fake]) => fakeServer(name, fake)),
    { cwd: tmpdir() },
  )
  await open.connect()
  return open
}

async function call(tool: Tool, input: unknown): Promise<unknown> {
  const parsed = tool.inputSchema.parse(input)
  const allow = async () => ({ behavior: 'allow' as const, input: {} })
  const { data } = await tool.call(
    parsed,
    createToolUseContext({ cwd: tmpdir() }),
    allow as never,
    { role: 'assistant', content: [] },
    () => {},
  )
  const { content } = tool.mapResult(data, 'id')
  return JSON.parse(typeof content === 'string' ? content : '')
}

test('lists what servers let read, page by page, of one server or all', async () => {
  const connections = await connect({ docs, plain: {}, broken })
  const tool = createListMcpResourcesTool({ connections })
  const all = [
    { uri: 'doc:a', name: 'a', mimeType: 'text/plain', server: 'docs' },
    { uri: 'doc:b', name: 'doc:b', server: 'docs' },
  ]
  expect(await call(tool, {})).toEqual(all)
  expect(await call(tool, { server: 'docs' })).toEqual(all)
  expect(connections.hasResources()).toBe(true)
  await expect(call(tool, { server: 'broken' })).rejects.toMatchObject({ code: 'refused' })
  await expect(call(tool, { server: 'none' })).rejects.toMatchObject({ code: 'unknown-server' })
  expect(tool).toMatchObject({ name: 'ListMcpResourcesTool', shouldDefer: true, maxResultSizeChars: 100_000 })
})

test('a server that offers none has none, and nobody answering is no empty list', async () => {
  const connections = await connect({ plain: {} })
  expect(connections.hasResources()).toBe(false)
  expect(await connections.resources()).toEqual([])
  await connections.close()
  await expect((await connect({ broken })).resources()).rejects.toMatchObject({ code: 'refused' })
})

test('reads texts, and saves bytes', async () => {
  using folder = temporaryFolder()
  const connections = await connect({ docs })
  const tool = createReadMcpResourceTool({ connections, blobFolder: folder.path })
  const { contents } = (await call(tool, { server: 'docs', uri: 'doc:b' })) as {
    contents: Record<string, string>[]
  }
  expect(contents).toEqual([
    { uri: 'doc:b', mimeType: 'application/pdf', blobSavedTo: expect.stringMatching(/\.pdf$/) },
    { uri: 'doc:b', text: 'and text' },
  ])
  expect(readFileSync(contents[0]?.['blobSavedTo'] ?? '', 'utf8')).toBe('bytes')
  await expect(call(tool, { server: 'docs', uri: 'doc:c' })).rejects.toThrow('no resource doc:c')
  const nowhere = createReadMcpResourceTool({ connections })
  expect(JSON.stringify(await call(nowhere, { server: 'docs', uri: 'doc:b' }))).toContain(
    '5 bytes were left out',
  )
})
