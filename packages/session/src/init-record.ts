import type { SystemRecord, Tool } from '@x/contract'
import type { PermissionMode } from '@x/permissions'
import { describeServers, type SessionMcp } from './mcp/session-mcp.ts'
import type { LoadedPlugins } from './plugins/plugin.ts'

/** What the first record of a session says of it. */
export interface InitFacts {
  readonly cwd: string
  readonly tools: readonly Tool[]
  readonly model: string
  readonly permissionMode: PermissionMode
  /** Where the credentials come from; never the credentials. */
  readonly apiKeySource: string
  readonly version: string
  readonly mcp: SessionMcp
  readonly agents: readonly string[]
  readonly plugins: LoadedPlugins | undefined
}

/** The `system` record of subtype `init`. Lists stay empty until the part they belong to exists. */
export function initRecord(facts: InitFacts): SystemRecord {
  return {
    type: 'system',
    subtype: 'init',
    cwd: facts.cwd,
    tools: facts.tools.map(({ name }) => (name === 'Agent' ? 'Task' : name)),
    ...describeServers(facts.mcp),
    model: facts.model,
    permissionMode: facts.permissionMode,
    slash_commands: [],
    output_style: 'default',
    skills: [],
    ...describePlugins(facts.plugins),
    agents: facts.agents,
    apiKeySource: facts.apiKeySource,
    claude_code_version: facts.version,
  }
}

function describePlugins({ plugins, problems }: LoadedPlugins = { plugins: [], problems: [] }) {
  return {
    plugins: plugins.map(({ name, root }) => ({ name, path: root })),
    ...(problems.length > 0 && { plugin_errors: problems }),
  }
}
