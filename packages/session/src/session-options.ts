import type { CallView, ContentBlock, EffortLevel, Model, PermissionDecision, Tool } from '@x/contract'
import type { PostSampling, PriceTable, StopHook } from '@x/loop'
import type { Memory } from '@x/memory'
import type { CanUseToolCallback, PermissionMode } from '@x/permissions'
import type { AgentDefinition, AgentMap, BudgetLimits } from '@x/subagent'
import type { LoadedMcpConfigs } from '@x/tools-mcp'
import type { EnteredWorktree } from '@x/tools-worktree'
import type { AgentFilesToFollow } from './agents/follow-agents.ts'
import type { HookCallbacks } from './hooks/hook-callbacks.ts'
import type { LoadedPlugins } from './plugins/plugin.ts'
import type { SessionSettings } from './session-settings.ts'

/** A user message as programs and stream-json write it. */
export interface UserInput {
  readonly type: 'user'
  readonly message: { readonly role: 'user'; readonly content: string | ContentBlock[] }
  /**
   * `now`: heard behind the results of the running turn, and running calls that can be interrupted are. `next`: a turn of its own
   * after the running one. @default 'next'
   */
  readonly priority?: 'now' | 'next'
  /** `false`: waits, and goes with the next message. @default true */
  readonly shouldQuery?: boolean
  readonly uuid?: string
  readonly session_id?: string
  readonly parent_tool_use_id?: string | null
}

/** Something that the user should know. */
export interface SessionNotice {
  /** `warning`: something does not do what it should. */
  readonly level: 'notice' | 'warning'
  /** One sentence or two. */
  readonly content: string
}

/** What a session is made of. Every option has a default. */
export interface QueryOptions {
  /** Absolute path of the working folder. @default the process's */
  readonly cwd?: string
  /**
   * The worktree that the session begins in, held for this process; ExitWorktree leads out of it. `cwd` must be in it. Resumed, a session
   * goes back to where it was by itself. @default none
   */
  readonly worktree?: EnteredWorktree
  /** Further working directories. Absolute paths. */
  readonly additionalDirectories?: readonly string[]
  /** Environment of the session: configuration is read from it, child processes get it without the credentials. @default the process's */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Model name or alias (`opus`, `sonnet`, `haiku`). @default `ANTHROPIC_MODEL`, else `sonnet` */
  readonly model?: string
  /** Models asked when the first fails, in this order; at most three. */
  readonly fallbackModel?: string | readonly string[]
  /**
   * How thorough answers are; `CLAUDE_CODE_EFFORT_LEVEL` wins, and agents may have a level of their own.
   *
   * @default the session's own agent's, else that of the settings, else the model's
   */
  readonly effort?: EffortLevel
  /** The endpoint. @default the Messages API, by the usual variables */
  readonly endpoint?: Model
  /** Replaces the system prompt; an empty one is meant. */
  readonly systemPrompt?: string
  /** Goes behind the system prompt. */
  readonly appendSystemPrompt?: string
  /** Which built-in tools exist: their names, or `default` for all. @default 'default' */
  readonly tools?: readonly string[] | 'default'
  /** Further tools beside the built-in ones; one of the same name replaces it. */
  readonly extraTools?: readonly Tool[]
  /** Calls that need no question: `Read`, `Bash(npm test *)`. */
  readonly allowedTools?: readonly string[]
  /** Tools that do not exist for this session, and calls that never run: `Bash(git push *)`. */
  readonly disallowedTools?: readonly string[]
  /** @default 'default' */
  readonly permissionMode?: PermissionMode
  /** Lets the session switch to `bypassPermissions` later. @default false */
  readonly allowDangerouslySkipPermissions?: boolean
  /** What settings files say; see `loadSessionSettings`. @default no files are read */
  readonly settings?: SessionSettings
  /** The instruction files that count; see `loadMemory` of `@x/memory`. @default no files are read */
  readonly memory?: Memory
  /** What plugins bring beside agents and MCP servers; see `loadPlugins`. @default no plugins */
  readonly plugins?: LoadedPlugins
  /** MCP servers by name, as an `.mcp.json` has them; they stand above those of `mcp`. @default none */
  readonly mcpServers?: Readonly<Record<string, unknown>>
  /** MCP servers of configuration files; see `loadMcpConfigs` of `@x/tools-mcp`. @default none */
  readonly mcp?: Pick<LoadedMcpConfigs, 'servers' | 'problems'>
  /** Servers that agent files write out do not start either; those of `agents` do. @default false */
  readonly strictMcpConfig?: boolean
  /** The MCP tool that is asked about each call that needs a decision: `mcp__server__tool`. Not beside `canUseTool`. @default none */
  readonly permissionPromptToolName?: string
  /** What the user should know before anything else: a record each. @default none */
  readonly notices?: readonly SessionNotice[]
  /** Agents in code, by name, as `--agents` has them; see `loadAgents` of `@x/subagent` for those of files. @default none */
  readonly agents?: AgentMap
  /** The agents there are, in place of the built-in ones and `agents`. @default those */
  readonly agentDefinitions?: readonly AgentDefinition[]
  /** Agent files that are read again when they change, in a session of several prompts. @default they are read once */
  readonly agentFiles?: AgentFilesToFollow
  /** The agent that the session itself is: its prompt, tools, model, effort, skills, memory, MCP servers and hooks. @default none */
  readonly agent?: string
  /** Stands behind the system prompt of every agent. */
  readonly appendSubagentSystemPrompt?: string
  /** Yield texts and thoughts of agents too, not only their calls. @default false */
  readonly forwardSubagentText?: boolean
  /** Hears every decision about a call. Must not throw. */
  readonly onDecision?: (call: CallView, decision: PermissionDecision) => void
  /** Asked about every call that needs a decision. Absent: such calls are denied. */
  readonly canUseTool?: CanUseToolCallback
  /** Hooks in code, beside those of the settings: by event, in groups with a matcher. @default none */
  readonly hooks?: HookCallbacks
  /** Yield records of every hook, not only of those at the start. @default false */
  readonly includeHookEvents?: boolean
  /** Run the Setup hooks first, with this trigger. @default they do not run */
  readonly setup?: 'init' | 'maintenance'
  /** Called after each answer of the model, one by one. A throw is reported, never fatal. */
  readonly postSampling?: readonly PostSampling[]
  /** Called when the model has finished; one may send it on. */
  readonly stopHooks?: readonly StopHook[]
  /**
   * Keep notes on the session, for when its conversation is compacted: a small model is asked beside a turn, and `notes.md` in the session's
   * folder rewritten. Not for agents, and not where nothing is persisted. @default false
   */
  readonly sessionNotes?: boolean
  /**
   * Ask a small model at the end of each prompt what later sessions should know, and put it into the project's `MEMORY.md`; see
   * `autoMemoryFolder`. Not for agents, and not where nothing is persisted. @default false
   */
  readonly memoryExtraction?: boolean
  /** Turns that may use tools, for each prompt. @default `CLAUDE_CODE_MAX_TURNS`, else no limit */
  readonly maxTurns?: number
  /** US dollars, for each prompt. */
  readonly maxBudgetUsd?: number
  /** What all agents of the session may use together, whoever starts them: tokens, US dollars, calls, time. @default no limits */
  readonly agentBudget?: BudgetLimits
  /** What each agent may use, with those below it; also taken out of `agentBudget`. @default no limits */
  readonly limitsPerAgent?: BudgetLimits
  /** US dollars per million tokens, by model. @default the built-in table */
  readonly prices?: PriceTable
  /** Calls start while the message streams, or when it is complete. @default 'streaming' */
  readonly engine?: 'streaming' | 'batch'
  /** Whom a failing call takes with it. @default 'effects' */
  readonly siblingPolicy?: 'effects' | 'all' | 'none'
  /** Calls at the same time. @default `CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY`, else 10 */
  readonly maxConcurrency?: number
  /** Yield the raw events of the model's stream too. @default false */
  readonly includePartialMessages?: boolean
  /** Yield the user's messages as records too. @default false */
  readonly replayUserMessages?: boolean
  /** A UUID, of no session that is there. @default a new one */
  readonly sessionId?: string
  /** Goes on with the session of this id, a UUID. @default a new session */
  readonly resume?: string
  /** Goes on in a copy of the resumed session, with an id of its own. @default false */
  readonly forkSession?: boolean
  /** Goes on behind this message of the resumed session: the `uuid` of an event. @default the last one */
  readonly resumeSessionAt?: string
  /** A person sits at it: `isHeadlessSession` tells it from sessions of programs. @default false */
  readonly isInteractive?: boolean
  /** A name for people to find the session by. */
  readonly sessionName?: string
  /** Keeps the session below the state folder, so that it can be resumed. @default true, unless `CLAUDE_CODE_SKIP_PROMPT_HISTORY` is set */
  readonly persistSession?: boolean
  /** Ends the session when it aborts. */
  readonly abortController?: AbortController
  /** How long background tasks may go on after the last result, in milliseconds. @default 5_000 */
  readonly backgroundGraceMs?: number
  /** Writes what a hook sends to the terminal: a notification, a title. Must not throw. @default there is no terminal */
  readonly terminal?: (sequence: string) => void
  /** Hears one line for each change of a call's state. */
  readonly debug?: (line: string) => void
}
