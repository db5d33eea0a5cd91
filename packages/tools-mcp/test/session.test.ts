import { tmpdir } from 'node:os'
import { type AssistantMessage, createToolUseContext, type InputJsonSchema } from '@x/contract'
import { createStreamingToolExecutor, type ToolResultEvent } from '@x/executor'
import { type CanUseToolContext, createPromptToolCallback } from '@x/permissions'
import { createMcpConnections, type McpConnections, toResultText } from '@x/tools-mcp'
import { afterEach, expect, test } from 'vitest'
import { type FakeServer, fakeServer, listed } from './fake-server.ts'

let connections: McpConnections
afterEach(() => connections.close())

async function connect(fake: FakeServer): Promise<void> {
  connections = createMcpConnections([fakeServer('s', fake)], { cwd: tmpdir() })
  await connections.connect()
}

/** Runs calls as a session does, all of one message. */
async function run(...calls: readonly (readonly [name: string, input: unknown])[]) {
  const context = createToolUseContext({ cwd: tmpdir(), options: { tools: connections.tools() } })
  const stored: string[] = []
  await using executor = createStreamingToolExecutor({
    context,
    query: new AbortController(),
    authorize: async () => ({ behavior: 'allow', reason: { type: 'mode', detail: 'test' } }),
    storeResult: async (id, text) => {
      stored.push(text)
      return { path: `/results/${id}` }
    },
  })
  const message: AssistantMessage = { role: 'assistant', content: [] }
  for (const [index, [name, input]] of calls.entries()) {
    executor.addTool({ type: 'tool_use', id: `call_${index}`, name, input }, message)
  }
  const results: ToolResultEvent[] = []
  for await (const event of executor.getRemainingResults())
    if (event.type === 'tool-result') results.push(event)
  return { results, stored }
}

const text = (value: string) => ({ content: [{ type: 'text', text: value }] })

test('example 73: a result of 30,000 tokens goes to disk with a preview', async () => {
  await connect({ tools: [listed('t')], call: () => text('word '.repeat(24_000)) })
  const { results, stored } = await run(['mcp__s__t', {}])
  expect(stored).toHaveLength(1)
  expect(JSON.stringify(results[0]?.result.content)).toMatch(/persisted-output.*\/results\/call_0/)
})

test.each([
  ['example 74: calls without annotations run one after the other', {}, 1],
  ['example 75: calls that only read run side by side', { readOnlyHint: true }, 2],
])('%s', async (_, annotations, most) => {
  let running = 0
  let seen = 0
  const call = async () => {
    running += 1
    seen = Math.max(seen, running)
    // As many as may run are waited for, and one that may not gets the time to show itself.
    await expect.poll(() => seen).toBeGreaterThanOrEqual(most)
    await new Promise((resolve) => setTimeout(resolve, 20))
    running -= 1
    return text('done')
  }
  await connect({ tools: [listed('t', { annotations })], call })
  const { results } = await run(['mcp__s__t', {}], ['mcp__s__t', {}])
  expect(results).toHaveLength(2)
  expect(seen).toBe(most)
})

test('a wrong input is told, a number in a text is turned, and everything else reaches the server as it is', async () => {
  const inputSchema: InputJsonSchema = {
    type: 'object',
    properties: { count: { type: 'integer' }, name: { type: 'string' } },
    required: ['name'],
  }
  await connect({
    tools: [listed('t', { inputSchema })],
    call: ({ arguments: input }) => text(JSON.stringify(input)),
  })
  const { results } = await run(
    ['mcp__s__t', { count: 'x' }],
    ['mcp__s__t', { name: 'n', count: '5', more: [1] }],
  )
  expect(results[0]?.result).toMatchObject({ is_error: true, content: expect.stringContaining('name') })
  expect(JSON.stringify(results[1]?.result.content)).toContain(
    '{\\"name\\":\\"n\\",\\"count\\":5,\\"more\\":[1]}',
  )
})

test('an error of the tool, one of the server, and meta data arrive as what they are', async () => {
  const call: FakeServer['call'] = ({ arguments: input }) =>
    JSON.stringify(input) === '{}'
      ? { ...text('failed'), isError: true }
      : { content: [], structuredContent: { rows: 2 }, _meta: { k: 1 } }
  await connect({ tools: [listed('t')], call })
  const { results } = await run(['mcp__s__t', {}], ['mcp__s__t', { a: 1 }])
  expect(results[0]?.result.is_error).toBe(true)
  expect(results[1]?.mcpMeta).toEqual({ structuredContent: { rows: 2 }, _meta: { k: 1 } })
  await connections.setEnabled('s', false)
  const { results: gone } = await run(['mcp__s__t', {}])
  expect(gone[0]?.result).toMatchObject({
    is_error: true,
    content: expect.stringContaining('No such tool available'),
  })
})

test('a tool of a server can answer permission questions', async () => {
  const asked: unknown[] = []
  const call: FakeServer['call'] = ({ arguments: input }) => {
    asked.push(input)
    return text('{"behavior":"deny","message":"not on Fridays"}')
  }
  await connect({ tools: [listed('approve')], call })
  const place = connections.locate('mcp__s__approve')
  const ask = createPromptToolCallback(async (input, signal) =>
    toResultText(await connections.call(place?.server ?? '', place?.tool ?? '', { input, signal })),
  )
  const context = { signal: new AbortController().signal, toolUseID: 'u', requestId: 'r', verdict: {} }
  expect(await ask('Bash', { command: 'ls' }, context as unknown as CanUseToolContext)).toEqual({
    behavior: 'deny',
    message: 'not on Fridays',
  })
  expect(asked).toEqual([{ tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 'u' }])
})
