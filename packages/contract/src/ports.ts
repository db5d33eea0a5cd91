import type { TextBlock } from './blocks.ts'
import type { AgentIdentity, ToolUseContext } from './context.ts'
import type { EffortLevel } from './effort.ts'
import type { AssistantMessage, Message, Usage, UserMessage } from './messages.ts'
import type { SessionRecord, TerminalReason } from './session-event.ts'
import type { Tool } from './tool.ts'

/** Where the history is written before a request leaves. A rejection stops the query: nothing unlogged is sent. */
export interface HistoryLog {
  /** Resolves when the messages are safe; later ones are appended behind them. */
  append(messages: readonly Message[]): Promise<void>
  /**
   * A call that may change something is about to begin, and its message is not in the history yet: these are its complete blocks so
   * far, the call among them. Resolves when they are safe; the call does not run if it rejects. Whoever goes on after a crash then
   * knows what may have run. @default such calls are not written down before they end
   */
  beforeCall?(toolUseId: string, message: AssistantMessage): Promise<void>
}

/** One run of a subagent's conversation, for whoever has a query loop. */
export interface AgentRequest {
  /** Who runs; hooks and permission checks tell agents apart by it. */
  readonly agent: AgentIdentity
  /** The whole system prompt. */
  readonly system: readonly TextBlock[]
  /** What was said before, all of it in `log` already; empty at the first run. Valid as it is. */
  readonly history: readonly Message[]
  /** What starts this run; goes behind `history`, and into `log` before the first request. */
  readonly prompt: readonly UserMessage[]
  /** The tools of every turn, refused calls included: what an agent may not do any more answers with an error. */
  readonly tools: readonly Tool[]
  /** The model, as the definition or the call names it. */
  readonly model: string
  /** The permission mode of its calls. A denial never ends an agent, not even the user's bare No. */
  readonly permissionMode: string
  /** How hard the model thinks. @default as the main session */
  readonly effort?: EffortLevel
  /** Turns with tools that are left. @default no limit */
  readonly maxTurns?: number
  /** The last run of an agent that reached a limit: every call is refused, only a text is wanted. */
  readonly isReport: boolean
  /** Nobody waits for it: what it asks the user has to name the agent. */
  readonly isBackground: boolean
  /** The call that started the agent; its records carry it as `parent_tool_use_id`. */
  readonly parentToolUseId: string
  /** The agent's own isolated context. Its controller is the run's: who aborts it ends this run. */
  readonly context: ToolUseContext
  /** The signal of the context's controller. */
  readonly signal: AbortSignal
  /** Where the conversation is written before a request leaves. */
  readonly log: HistoryLog
  /**
   * What waits to be heard; asked before each turn but the first, each message is handed out once. A limit that is reached aborts the
   * signal here, where no call is cut off. Never throws.
   */
  pendingMessages(): readonly UserMessage[]
  /** Takes every record of the run, as it happens. Never throws. */
  onEvent(record: SessionRecord): void
}

/** How one run ended. */
export interface AgentOutcome {
  /** Why it ended. */
  readonly reason: TerminalReason
  /** The whole conversation as it stands now. */
  readonly messages: readonly Message[]
  /** What this run added. @default what follows the history in `messages` */
  readonly added?: readonly Message[]
  /** What went wrong, where something did. */
  readonly error?: string
  /** Tokens of all its requests. @default what the records say */
  readonly usage?: Usage
  /** What they cost, in US dollars. @default 0 */
  readonly costUsd?: number
  /** The worktree that the agent went into by itself and is in now; it stays. @default none */
  readonly worktree?: { readonly path: string; readonly branch?: string }
}

/**
 * Runs one conversation to its end: the port from agents to a query loop. Resolves when the last call has really ended.
 * Should not reject: a failure is an outcome. A rejection counts as one too.
 */
export type RunAgent = (request: AgentRequest) => Promise<AgentOutcome>

/** What a task has used. */
export interface TaskUsage {
  /** Tokens of the last request and its answer, cached ones included. */
  readonly totalTokens: number
  /** Tool calls. */
  readonly toolUses: number
  /** Milliseconds since its start. */
  readonly durationMs: number
}

/** How far a task has come. */
export interface TaskProgress extends TaskUsage {
  /** The tool that it called last. */
  readonly lastToolName?: string
}

/** How a background task ended. */
export interface TaskEnd {
  /** How it ended. */
  readonly status: 'completed' | 'failed' | 'killed'
  /** One line for the model: what ended, and how. */
  readonly summary: string
  /** Exit code of the process, where there was one. */
  readonly exitCode?: number
  /** What it came to, for the model: an agent's report. Any length. */
  readonly result?: string
  /** What it had used by then, where that is known. */
  readonly usage?: TaskUsage
}

/** Why a background task is stopped. */
export interface StopTaskOptions {
  /** A person wants it stopped, not the model. @default false */
  readonly isByUser?: boolean
}

/** One piece of work that goes on behind the conversation. */
export interface BackgroundTask {
  /** Unique in its registry. */
  readonly id: string
  /** Other names that find it: an agent's id and name. The task added last wins. */
  readonly aliases?: readonly string[]
  /** What kind of work it is. */
  readonly type: 'local_bash' | 'local_agent' | 'remote_agent'
  /** A few words for people and the model. */
  readonly description: string
  /** The shell command, where there is one. */
  readonly command?: string
  /** The call that started it. */
  readonly toolUseId: string
  /** The agent that started it; absent in the main session. */
  readonly agentId?: string
  /** The agent that it is: its type, and how many layers deep it runs; those of the main session run at 1. */
  readonly agent?: { readonly type: string; readonly depth: number }
  /** The file its output grows in. */
  readonly outputFile: string
  /** When it began, in milliseconds since the epoch. */
  readonly startedAtMs: number
  /** Resolves when it has ended, never rejects. */
  readonly ended: Promise<TaskEnd>
  /** Ends it; resolves when it is gone. Stopping twice is harmless. */
  stop(options?: StopTaskOptions): Promise<void>
}

/** What the registry knows of a task. */
export interface TaskView {
  /** The work itself. */
  readonly task: BackgroundTask
  /** How far it has come; absent before its first news. */
  readonly progress?: TaskProgress
  /** Absent while it runs. */
  readonly end?: TaskEnd
}

/** What has become of a task. */
export interface TaskChange {
  /** It has begun, come further, or ended. */
  readonly kind: 'start' | 'progress' | 'end'
  /** The task as it is now. */
  readonly view: TaskView
}

/** The one place where background work is known: shells, agents, MCP calls. */
export interface TaskRegistry {
  /** An id that no task of this registry has. */
  nextId(prefix: string): string
  /** Takes a task that has begun; tells the listeners. */
  add(task: BackgroundTask): void
  /** Takes how far the task of this id or alias has come; tells the listeners. Ignored where no such task runs. */
  report(id: string, progress: TaskProgress): void
  /** The task of this id or alias, running or ended. An id wins over an alias. */
  get(id: string): TaskView | undefined
  /** All tasks, in the order in which they were added. */
  list(): readonly TaskView[]
  /** Hears of every start, news and end; returns the undo. */
  subscribe(listener: (change: TaskChange) => void): () => void
  /** The notices of tasks that ended and that the model has not seen; each is handed out once. */
  takeNotices(agentId?: string): readonly UserMessage[]
  /** Stops all tasks (of one agent, if given); resolves when they are gone. */
  stopAll(options?: { readonly agentId?: string }): Promise<void>
}
