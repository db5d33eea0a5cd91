import type { ToolUseContext } from './context.ts'
import type { AssistantMessage, Message, UserMessage } from './messages.ts'
import type { SessionRecord } from './session-event.ts'

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

/** What a subagent is asked to do. */
export interface AgentRequest {
  /** The name of the agent's definition. */
  readonly type: string
  /** What it shall do. */
  readonly prompt: string
  /** The context of the call that starts it; the agent gets an isolated copy. */
  readonly context: ToolUseContext
  /** Ends it; it then answers with what there is. */
  readonly signal: AbortSignal
  /** Every record of the agent's own session, as it happens. */
  readonly onEvent?: (record: SessionRecord) => void
}

/** How a subagent's work ended, with what there is of it. */
export interface AgentOutcome {
  /** How it ended. */
  readonly status: 'completed' | 'partial' | 'interrupted' | 'failed' | 'limit'
  /** The last text the agent wrote. */
  readonly text: string
  /** What went wrong, where something did. */
  readonly error?: string
}

/** Runs one agent to its end. Never rejects: a failure is an outcome. */
export type RunAgent = (request: AgentRequest) => Promise<AgentOutcome>

/** How a background task ended. */
export interface TaskEnd {
  /** How it ended. */
  readonly status: 'completed' | 'failed' | 'killed'
  /** One line for the model: what ended, and how. */
  readonly summary: string
  /** Exit code of the process, where there was one. */
  readonly exitCode?: number
}

/** One piece of work that goes on behind the conversation. */
export interface BackgroundTask {
  /** Unique in its registry. */
  readonly id: string
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
  /** The file its output grows in. */
  readonly outputFile: string
  /** When it began, in milliseconds since the epoch. */
  readonly startedAtMs: number
  /** Resolves when it has ended, never rejects. */
  readonly ended: Promise<TaskEnd>
  /** Ends it; resolves when it is gone. Stopping twice is harmless. */
  stop(): Promise<void>
}

/** What the registry knows of a task. */
export interface TaskView {
  /** The work itself. */
  readonly task: BackgroundTask
  /** Absent while it runs. */
  readonly end?: TaskEnd
}

/** The one place where background work is known: shells, agents, MCP calls. */
export interface TaskRegistry {
  /** An id that no task of this registry has. */
  nextId(prefix: string): string
  /** Takes a task that has begun; tells the listeners. */
  add(task: BackgroundTask): void
  /** The task of this id, running or ended. */
  get(id: string): TaskView | undefined
  /** All tasks, in the order in which they were added. */
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
