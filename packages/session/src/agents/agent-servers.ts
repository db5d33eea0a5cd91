import type { JsonObject } from '@x/contract'
import type { AgentDefinition } from '@x/subagent'
import { type McpConfigReading, readMcpConfig } from '@x/tools-mcp'
import type { QueryOptions } from '../session-options.ts'

/** Whose servers are read. */
interface AgentServersFacts {
  readonly options: Pick<QueryOptions, 'strictMcpConfig'>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The servers that a definition writes out; those it only names are the session's, and there already. */
export function readAgentServers(
  { mcpServers = [], path, source }: AgentDefinition,
  { options, env }: AgentServersFacts,
): McpConfigReading {
  const own: JsonObject[] = mcpServers.filter((entry) => typeof entry !== 'string')
  const isForbidden = options.strictMcpConfig === true && source !== 'flag'
  if (own.length === 0 || isForbidden) return { servers: [], problems: [] }
  const file = path === undefined ? {} : { file: path }
  return readMcpConfig({ mcpServers: Object.assign({}, ...own) }, { scope: 'flag', env, ...file })
}
