import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createToolUseContext, type ToolResult } from '@x/contract'
import {
  createMcpConnections,
  type McpConnections,
  type McpConnectionsOptions,
  type McpServer,
  type McpStdioConfig,
  type McpTool,
  toResultText,
} from '@x/tools-mcp'

const script = fileURLToPath(new URL('fixtures/stdio-server.ts', import.meta.url))

/** The fixture as a configured server. */
export function fixture(
  name: string,
  args: readonly string[] = [],
  more: Partial<McpStdioConfig> = {},
): McpServer {
  return {
    name,
    config: { type: 'stdio', command: process.execPath, args: [script, ...args], env: {}, ...more },
  }
}

/** Connections whose programs carry a mark, by which all that descends from them is counted. */
export function markedConnections(
  servers: readonly McpServer[],
  options: Partial<McpConnectionsOptions> = {},
): { readonly connections: McpConnections; readonly count: () => number } {
  const mark = randomUUID()
  const env = { ...process.env, ...options.env, TEST_MARK: mark }
  return {
    connections: createMcpConnections(servers, { cwd: tmpdir(), ...options, env }),
    count: () =>
      livingPids().filter((pid) => read(`/proc/${pid}/environ`).includes(`TEST_MARK=${mark}`)).length,
  }
}

/** The status of one server. */
export function statusOf(connections: McpConnections, name: string) {
  const status = connections.statuses().find((one) => one.name === name)
  if (status === undefined) throw new Error(`no server ${name}`)
  return status
}

/** A tool by its name for the model. */
export function toolOf(connections: McpConnections, name: string): McpTool {
  const tool = connections.tools().find((one) => one.name === name)
  if (tool === undefined)
    throw new Error(
      `no tool ${name} among ${connections
        .tools()
        .map((one) => one.name)
        .join(' ')}`,
    )
  return tool
}

interface CallToolOptions {
  readonly controller?: AbortController
  readonly onProgress?: (progress: unknown) => void
}

const ignore = (): void => {}

/** Calls a tool without a session. */
export function callTool(
  tool: McpTool,
  input: Record<string, unknown>,
  { controller = new AbortController(), onProgress = ignore }: CallToolOptions = {},
): Promise<ToolResult<unknown>> {
  const context = createToolUseContext({ cwd: tmpdir(), abortController: controller })
  const allow = async () => ({ behavior: 'allow' as const, input: {} })
  return tool.call(input, context, allow as never, { role: 'assistant', content: [] }, onProgress)
}

/** The JSON that a tool of the fixture answers with. */
export async function askFixture(
  connections: McpConnections,
  place: `${string}.${string}`,
  input: Record<string, unknown> = {},
) {
  const [server = '', tool = ''] = place.split('.')
  return JSON.parse(toResultText(await connections.call(server, tool, { input })))
}

/** A new temporary folder; `using` removes it. */
export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'tools-mcp-')))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

function livingPids(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && /^\d+ \(.*\) [^ZX]/s.test(read(`/proc/${pid}/stat`)))
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
