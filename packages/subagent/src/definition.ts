import type { JsonObject } from '@x/contract'

/** Where a definition comes from. */
export type AgentSource = 'managed' | 'flag' | 'project' | 'user' | 'plugin' | 'built-in'

/** One kind of agent: when to use it, what it is told, what it may do. */
export interface AgentDefinition {
  /** Its type: what a call names, and hooks see as `agent_type`. Of a plugin: `plugin:name`. */
  readonly name: string
  /** When to hand work to it; the model reads this. */
  readonly description: string
  /** The system prompt. */
  readonly prompt: string
  /** Where it comes from. */
  readonly source: AgentSource
  /** The file it stands in. */
  readonly path?: string
  /** The tools it may have, patterns as written. Absent: all of its parent. Empty: none. */
  readonly tools?: readonly string[]
  /** The tools taken away from it, before `tools` counts. */
  readonly disallowedTools?: readonly string[]
  /** `sonnet`, `opus`, `haiku`, `fable`, or a full name. Absent: its parent's session's. */
  readonly model?: string
  /** The permission mode it works in, where its parent's is not a wider one. */
  readonly permissionMode?: AgentPermissionMode
  /** Turns with tools; then it gets one more to report. */
  readonly maxTurns?: number
  /** Skills whose content it begins with. */
  readonly skills?: readonly string[]
  /** MCP servers: names of the session's, or servers of its own by name. */
  readonly mcpServers?: readonly (string | JsonObject)[]
  /** Hooks that count while it runs, as settings write them. */
  readonly hooks?: JsonObject
  /** Where it keeps what it learns. */
  readonly memory?: 'user' | 'project' | 'local'
  /** It never runs in the foreground. @default false */
  readonly background?: boolean
  /** How hard the model thinks. */
  readonly effort?: AgentEffort
  /** It works in a git worktree of its own. */
  readonly isolation?: 'worktree'
  /** For people's eyes. */
  readonly color?: string
  /** The first thing said to it when it is the main thread. */
  readonly initialPrompt?: string
  /** It answers once: no id to go on with. Built-in agents only. @default false */
  readonly isOneShot?: boolean
  /** It begins without instruction files and git status. Built-in agents only. @default false */
  readonly skipsProjectContext?: boolean
  /** It goes on with its parent's conversation in place of one of its own. Built-in agents only. @default false */
  readonly isFork?: boolean
}

/** The permission modes a definition may name. */
export type AgentPermissionMode =
  | 'default'
  | 'acceptEdits'
  | 'plan'
  | 'auto'
  | 'dontAsk'
  | 'bypassPermissions'

/** How hard a model may be told to think. */
export type AgentEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/** What is wrong with a definition or its file. Nothing here keeps another definition from loading. */
export interface AgentProblem {
  /** The file, or what stands in its place (`--agents`). */
  readonly path: string
  /** What is wrong, and what was done about it. */
  readonly reason: string
  /** `debug`: expected in folders that people share with other programs. `warning`: worth a line to the user. */
  readonly level: 'debug' | 'warning'
}
