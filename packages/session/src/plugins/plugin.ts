import type { HookSource } from '@x/hooks'
import type { AgentPlugin } from '@x/subagent'
import type { McpPluginConfig } from '@x/tools-mcp'

/** A folder that brings agents, skills, hooks and MCP servers. */
export interface Plugin {
  /** The first part of the names of what it brings. */
  readonly name: string
  /** Absolute path of its folder. */
  readonly root: string
  /** Its agents and skills; for `loadAgents` of `@x/subagent`. */
  readonly agents: AgentPlugin
  /** Its hooks, as the session takes them. */
  readonly hooks: readonly HookSource[]
  /** Its servers; for `loadMcpConfigs` of `@x/tools-mcp`. */
  readonly mcp: readonly McpPluginConfig[]
}

/** What is wrong with a plugin. */
export interface PluginProblem {
  /** Its name, or its folder where the name is not known. */
  readonly plugin: string
  /** `not-loaded`: nothing of it counts. `left-out`: a part of it does not. */
  readonly type: 'not-loaded' | 'left-out'
  /** What is wrong, and where. */
  readonly message: string
}

/** The plugins of a session. */
export interface LoadedPlugins {
  /** One for each name, in the order they were given. */
  readonly plugins: readonly Plugin[]
  readonly problems: readonly PluginProblem[]
}
