import type {
  AgentIdentity,
  FileReadCache,
  HookOutcome,
  RunAgent,
  SessionRecord,
  TaskRegistry,
  TextBlock,
  Tool,
  ToolUseContext,
} from '@x/contract'
import type { AgentLimits } from './agent-limits.ts'
import type { AgentReport } from './agent-report.ts'
import type { Budget, BudgetLimits } from './budget.ts'
import type { Environment } from './choices.ts'
import type { StoreReport } from './cut-report.ts'
import type { AgentDefinition } from './definition.ts'
import type { NoticeBox } from './notice-box.ts'
import type { Sidechains } from './sidechains.ts'
import type { Worktrees } from './worktrees.ts'

/** What agents are made of. Two things are required: which agents there are, and a loop to run them in. */
export interface AgentsOptions {
  /** The agents there are now; asked at each call. */
  readonly definitions: () => readonly AgentDefinition[]
  /** The query loop. */
  readonly runAgent: RunAgent
  /** Isolation. @default none: an agent that wants it does not start */
  readonly worktrees?: Worktrees
  /** Transcripts. @default in memory, of the last 50 agents */
  readonly sidechains?: Sidechains
  /** Background work. @default none: agents run in the foreground, and one that has ended cannot be written to */
  readonly tasks?: TaskRegistry
  /** Where messages for the main conversation wait until the model has seen them. @default a box in memory */
  readonly notices?: NoticeBox
  /** What all agents together may spend; the main session spends from it too. @default no limits */
  readonly budget?: Budget
  /** What each agent may spend, children included. @default no limits */
  readonly limitsPerAgent?: BudgetLimits
  /** Limits in place of those of the environment. */
  readonly limits?: Partial<AgentLimits>
  /** Model, limits and switches are read from it. @default process.env */
  readonly env?: Environment
  /** Gives the name by which the service knows a model: what an alias stands for. @default as it is */
  readonly resolveModel?: (name: string) => string
  /** The types the main session may start (`Agent(a, b)`). @default all */
  readonly allowedTypes?: () => readonly string[] | undefined
  /** The main session's permission mode. @default 'default' */
  readonly permissionMode?: () => string
  /** A policy forbids this permission mode: a definition that names it counts as one that names none. @default none is forbidden */
  readonly isModeDisabled?: (mode: string) => boolean
  /** The system prompt of the main conversation, as its requests have it. With `CLAUDE_CODE_FORK_SUBAGENT=1` agents can be forks of it then. @default no forks */
  readonly mainSystem?: () => readonly TextBlock[]
  /** Makes what an agent brings along: skills, memory, MCP servers, hooks. A rejection is a failure to start. @default nothing */
  readonly setUp?: (agent: AgentView, signal: AbortSignal) => Promise<AgentExtras>
  /** Describes the place an agent works in, for its system prompt. @default folder, platform and date */
  readonly describePlace?: (cwd: string) => string
  /** Stands behind every agent's system prompt. @default nothing */
  readonly appendSystemPrompt?: string
  /** Asked before a model wakes an agent that has ended: why not, for that model; undefined: it may. A rejection is a no. @default it may */
  readonly mayWake?: (agent: WakingAgent, context: ToolUseContext) => Promise<string | undefined>
  /** Told before an agent's first request; may add context. Cannot stop it; a throw is ignored. The signal aborts when nobody waits. */
  readonly onStart?: (
    agent: AgentView,
    signal: AbortSignal,
  ) => AgentStart | undefined | Promise<AgentStart | undefined>
  /** Told when an agent has finished by itself; `blockingError` sends it on, at most eight times. A throw is ignored. */
  readonly onStop?: (view: AgentStopView) => HookOutcome | undefined | Promise<HookOutcome | undefined>
  /** Told of each agent's end, stopped ones too. A throw is ignored. */
  readonly onEnd?: (report: AgentReport, agent: AgentView) => void
  /** Every record of every agent, as it happens. A throw is ignored. */
  readonly onEvent?: (record: SessionRecord, agent: AgentView) => void
  /** Makes an agent's own knowledge of files. @default the last 1,000 files, in memory */
  readonly createFiles?: () => FileReadCache
  /** Keeps a report that is too long. @default a file in a temporary folder */
  readonly storeReport?: StoreReport
  /** Ends all agents when it aborts. @default never */
  readonly signal?: AbortSignal
  /** How long a run that ignores its abort is waited for, in milliseconds. @default 2_000 */
  readonly abortGraceMs?: number
  /** How long the last turn of an agent at its limit may take, in milliseconds. @default 60_000 */
  readonly reportMs?: number
}

/** An agent that a model writes to after its end, as the call that would start it anew. */
export interface WakingAgent {
  /** Its type. */
  readonly type: string
  /** The words of the call that started it. */
  readonly description: string
  /** What it is to read. */
  readonly prompt: string
}

/** One agent, as callbacks see it. */
export interface AgentView extends AgentIdentity {
  /** Its definition. */
  readonly definition: AgentDefinition
  /** The words of the call that started it. */
  readonly description: string
  /** What it was asked to do. */
  readonly prompt: string
  /** The name it can be reached by. */
  readonly name?: string
  /** The agent that started it; absent in the main session. */
  readonly parentAgentId?: string
  /** The call that started it. */
  readonly toolUseId: string
  /** The layer it runs in; 1 below the main session. */
  readonly depth: number
  /** The folder it works in. */
  readonly cwd: string
  /** The folder of its project: that of its worktree, or of the one its parent works in. */
  readonly projectDir: string
  /** Its permission mode. */
  readonly permissionMode: string
  /** Nobody waits for it. */
  readonly isBackground: boolean
  /** It goes on with a conversation. */
  readonly isResumed: boolean
  /** Where its conversation is kept; absent before the transcript is open and where it is in memory. */
  readonly transcriptPath?: string
}

/** What an agent brings along. */
export interface AgentExtras {
  /** Tools beside its parent's: those of its own MCP servers. @default none */
  readonly tools?: readonly Tool[]
  /** Names of its parent's tools that it has beside those its list names (for its memory). `disallowedTools` still counts. @default none */
  readonly grantedTools?: readonly string[]
  /** Texts before its first prompt: instruction files, git status, skills. @default none */
  readonly context?: readonly string[]
  /** Texts behind its system prompt: memory. @default none */
  readonly system?: readonly string[]
  /** Makes the context it works with from the isolated one. @default as it is */
  readonly modifyContext?: (context: ToolUseContext) => ToolUseContext
  /** Stops what was started. Called once, on every way out. */
  release?(): unknown
}

/** What start callbacks add. */
export interface AgentStart {
  /** Texts before the first prompt. */
  readonly context: readonly string[]
}

/** What stop callbacks are told. */
export interface AgentStopView {
  /** The agent. */
  readonly agent: AgentView
  /** Its last text. */
  readonly lastText: string
  /** It goes on because of such a callback already. */
  readonly isActive: boolean
  /** Aborts when the answer no longer matters. */
  readonly signal: AbortSignal
}
