import { type JsonObject, type Tool, withoutUndefined } from '@x/contract'
import type { HooksOptions } from '@x/hooks'
import type { AgentDefinition } from '@x/subagent'
import {
  createListMcpResourcesTool,
  createMcpConnections,
  createReadMcpResourceTool,
  type McpConfigProblem,
  type McpConnections,
  type McpServer,
  type McpServerStatus,
  readMcpConfig,
  toResultText,
} from '@x/tools-mcp'
import { readAgentServers } from '../agents/agent-servers.ts'
import type { SessionHooks } from '../hooks/session-hooks.ts'
import type { QueryOptions } from '../session-options.ts'
import { connectionOptions } from './connection-options.ts'
import { createElicit } from './elicit.ts'

/** The MCP servers of a session. Disposing ends them and everything that was started for them. */
export interface SessionMcp extends AsyncDisposable {
  /** The tools of the servers that are connected, now. */
  tools(): readonly Tool[]
  readonly statuses: () => readonly McpServerStatus[]
  /** What of the configuration does not count. */
  readonly problems: readonly McpConfigProblem[]
  /** Connects the servers; resolves when each has succeeded or failed. */
  connect(signal: AbortSignal): Promise<void>
  /** Calls a tool of a server for the handlers of hooks. */
  readonly callForHook: NonNullable<HooksOptions['callMcpTool']>
  /** Calls a tool by the name that the model sees; gives its text. Rejects where there is none. */
  callByName(name: string, input: JsonObject, signal: AbortSignal): Promise<string>
  reconnect(server: string): Promise<McpServerStatus>
  setEnabled(server: string, isEnabled: boolean): Promise<McpServerStatus>
}

/** What the servers are made of. */
export interface SessionMcpFacts {
  readonly options: Pick<QueryOptions, 'mcpServers' | 'mcp' | 'strictMcpConfig'>
  /** The agent that the session itself is; its servers are the session's. */
  readonly mainAgent: AgentDefinition | undefined
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the session keeps what belongs to it. */
  readonly folder: () => string
  /** Asked when the first server wants something. */
  readonly hooks: () => SessionHooks
}

/** Makes the connections; nothing starts before `connect`, or the first call. */
export function createSessionMcp(facts: SessionMcpFacts): SessionMcp {
  const { options, mainAgent, cwd, env, folder, hooks } = facts
  const own = readMcpConfig({ mcpServers: options.mcpServers ?? {} }, { scope: 'flag', env })
  const agents =
    mainAgent === undefined ? { servers: [], problems: [] } : readAgentServers(mainAgent, { options, env })
  const servers = unite(unite(own.servers, agents.servers), options.mcp?.servers ?? [])
  const problems = [...own.problems, ...agents.problems, ...(options.mcp?.problems ?? [])]
  if (servers.length === 0) return noServers(problems)
  const common = connectionOptions({ cwd, env, folder: folder() })
  const connections = createMcpConnections(servers, {
    ...common,
    autoConnect: false,
    elicit: createElicit(hooks),
  })
  const resourceTools = [
    createListMcpResourcesTool({ connections }),
    createReadMcpResourceTool({ connections, blobFolder: common.blobFolder }),
  ]
  return {
    tools: () => [...connections.tools(), ...(connections.hasResources() ? resourceTools : [])],
    statuses: () => connections.statuses(),
    problems,
    connect: (signal) => connections.connect({ signal }),
    async callForHook({ server, tool, input, signal }) {
      const result = await connections.call(server, tool, { input, signal })
      return { text: toResultText(result), isError: result.isError }
    },
    callByName: (name, input, signal) => callByName(connections, name, { input, signal }),
    reconnect: (server) => connections.reconnect(server),
    setEnabled: (server, isEnabled) => connections.setEnabled(server, isEnabled),
    [Symbol.asyncDispose]: () => connections.close(),
  }
}

/** Of two servers of one name the first counts. */
function unite(own: readonly McpServer[], others: readonly McpServer[]): readonly McpServer[] {
  const names = new Set(own.map(({ name }) => name))
  return [...own, ...others.filter(({ name }) => !names.has(name))]
}

async function callByName(
  connections: McpConnections,
  name: string,
  { input, signal }: { readonly input: JsonObject; readonly signal: AbortSignal },
): Promise<string> {
  const server = connections.locate(name)?.server
  if (server === undefined) throw new Error(`There is no MCP tool ${name}`)
  await connections.waitFor(server, { signal })
  const tool = connections.locate(name)?.tool
  if (tool === undefined) throw new Error(`The MCP server ${server} has no tool ${name}, or is not connected`)
  const result = await connections.call(server, tool, { input, signal })
  const text = toResultText(result)
  if (result.isError) throw new Error(`${name} failed: ${text}`)
  return text
}

function noServers(problems: readonly McpConfigProblem[]): SessionMcp {
  const nobody = (name: string): Promise<never> => Promise.reject(new Error(`There is no MCP server ${name}`))
  return {
    tools: () => [],
    statuses: () => [],
    problems,
    connect: async () => {},
    callForHook: ({ server }) => nobody(server),
    callByName: (name) => Promise.reject(new Error(`There is no MCP tool ${name}`)),
    reconnect: nobody,
    setEnabled: nobody,
    [Symbol.asyncDispose]: async () => {},
  }
}

/** What `init` says of the servers and of what could not be used. */
export function describeServers({ statuses, problems }: SessionMcp): {
  readonly mcp_servers: readonly object[]
  readonly mcp_server_errors?: readonly object[]
} {
  const errors = problems.filter(({ type }) => type !== 'warning')
  return withoutUndefined({
    mcp_servers: statuses().map(({ name, status }) => ({ name, status })),
    mcp_server_errors:
      errors.length === 0 ? undefined : errors.map(({ name, type, message }) => ({ name, type, message })),
  })
}
