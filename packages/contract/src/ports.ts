import type { ToolUseContext } from './context.ts'
import type { Message, UserMessage } from './messages.ts'
import type { SessionRecord } from './session-event.ts'

/** Where the history is written before a request leaves. A rejection stops the query: nothing unlogged is sent. */
export interface HistoryLog {
  append(messages: readonly Message[]): Promise<void>
}

/** What a subagent is asked to do. */
export interface AgentRequest {
  readonly type: string
  readonly prompt: string
  readonly context: ToolUseContext
  readonly signal: AbortSignal
  /** Every record of the agent's own session, as it happens. */
  readonly onEvent?: (record: SessionRecord) => void
}

/** How a subagent's work ended, with what there is of it. */
export interface AgentOutcome {
  readonly status: 'completed' | 'partial' | 'interrupted' | 'failed' | 'limit'
  /** The last text the agent wrote. */
  readonly text: string
  readonly error?: string
}

/** Runs one agent to its end. Never rejects: a failure is an outcome. */
export type RunAgent = (request: AgentRequest) => Promise<AgentOutcome>

/** How a background task ended. */
export interface TaskEnd {
  readonly status: 'completed' | 'failed' | 'killed'
  /** One line for the model: what ended, and how. */
  readonly summary: string
  readonly exitCode?: number
}

/** One piece of work that goes on behind the conversation. */
export interface BackgroundTask {
  readonly id: string
  readonly type: 'local_bash' | 'local_agent' | 'remote_agent'
  readonly description: string
  /** The shell command, where there is one. */
  readonly command?: string
  /** The call that started it. */
  readonly toolUseId: string
  /** The agent that started it; absent in the main session. */
  readonly agentId?: string
  /** The file its output grows in. */
  readonly outputFile: string
  readonly startedAtMs: number
  /** Resolves when it has ended, never rejects. */
  readonly ended: Promise<TaskEnd>
  /** Ends it; resolves when it is gone. Stopping twice is harmless. */
  stop(): Promise<void>
}

/** What the registry knows of a task. */
export interface TaskView {
  readonly task: BackgroundTask
  /** Absent while it runs. */
  readonly end?: TaskEnd
}

/** The one place where background work is known: shells, agents, MCP calls. */
export interface TaskRegistry {
  /** An id that no task of this registry has. */
  nextId(prefix: string): string
  add(task: BackgroundTask): void
  get(id: string): TaskView | undefined
  list(): readonly TaskView[]
  /** Hears of every start and end; returns the undo. */
  subscribe(
    listener: (change: { readonly kind: 'start' | 'end'; readonly view: TaskView }) => void,
  ): () => void
  /** The notices of tasks that ended and that the model has not seen; each is handed out once. */
  takeNotices(agentId?: string): readonly UserMessage[]
  /** Stops all tasks (of one agent, if given); resolves when they are gone. */
  stopAll(options?: { readonly agentId?: string }): Promise<void>
}
