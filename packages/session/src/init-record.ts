import type { SystemRecord } from '@x/contract'
import { describeServers } from './mcp/session-mcp.ts'
import type { LoadedPlugins } from './plugins/plugin.ts'
import type { Session } from './session.ts'
import { version } from './version.ts'

/** The `system` record of subtype `init`. Lists stay empty until the part they belong to exists. */
export function initRecord(session: Session): SystemRecord {
  const { setup, model } = session
  return {
    type: 'system',
    subtype: 'init',
    cwd: setup.places.cwd,
    tools: session.tools().map(({ name }) => (name === 'Agent' ? 'Task' : name)),
    ...describeServers(setup.mcp),
    model,
    permissionMode: setup.access.permissions.mode,
    slash_commands: [],
    output_style: 'default',
    skills: [],
    ...describePlugins(setup.options.plugins),
    agents: setup.roster.definitions.map(({ name }) => name),
    // Never the credentials themselves.
    apiKeySource: setup.environment.apiKeySource,
    claude_code_version: version,
  }
}

function describePlugins({ plugins, problems }: LoadedPlugins = { plugins: [], problems: [] }) {
  return {
    plugins: plugins.map(({ name, root }) => ({ name, path: root })),
    ...(problems.length > 0 && { plugin_errors: problems }),
  }
}
