import type { TaskUsage, Usage } from '@x/contract'
import type { EndedWorktree } from './worktrees.ts'

/**
 * How an agent ended. `completed`: by itself. `limit`: at a limit of turns or budget, after one last turn to report.
 * `partial`: by an error, with something said. `failed`: by an error, with nothing said. `interrupted`: it was stopped.
 */
export type AgentStatus = 'completed' | 'partial' | 'interrupted' | 'failed' | 'limit'

/** What is left of an agent's work, however it ended. */
export interface AgentReport {
  /** How it ended. Never `completed` for an agent that was stopped before its end. */
  readonly status: AgentStatus
  /** Its id. */
  readonly agentId: string
  /** Its type. */
  readonly agentType: string
  /** The words of the call that started it. */
  readonly description: string
  /** The last text it wrote; empty: it wrote none. */
  readonly lastText: string
  /** What went wrong or which limit it was; absent when it completed. */
  readonly error?: string
  /** The error came from the model's service. */
  readonly isApiError: boolean
  /** Absolute paths that its tools wrote, the first 1,000. They stay, whatever happened. */
  readonly filesChanged: readonly string[]
  /** Where its conversation is kept. */
  readonly transcriptPath?: string
  /** The worktree it had. */
  readonly worktree?: EndedWorktree
  /** How to go on with it; absent for an agent that answers once. */
  readonly resume?: {
    /** What SendMessage takes as `to`. */
    readonly to: string
  }
  /** The model it asked. */
  readonly model: string
  /** The models that answered, in the order of their first answers: another one where the first could not. Empty where nobody told. */
  readonly modelsUsed: readonly string[]
  /** Its calls by tool. */
  readonly toolStats: Readonly<Record<string, number>>
  /** From start to end, in milliseconds. */
  readonly durationMs: number
  /** Token counts of its last request. */
  readonly usage: Usage
}

/** The tokens of one request and its answer, cached ones included. */
export function countTokens(usage: Usage): number {
  const { input_tokens: input, output_tokens: output } = usage
  return input + output + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0)
}

/** What an agent has used, as background work is counted. */
export function toTaskUsage({
  usage,
  toolStats,
  durationMs,
}: Pick<AgentReport, 'usage' | 'toolStats' | 'durationMs'>): TaskUsage {
  return { totalTokens: countTokens(usage), toolUses: countCalls(toolStats), durationMs }
}

/** How many calls there were. */
export function countCalls(toolStats: Readonly<Record<string, number>>): number {
  return Object.values(toolStats).reduce((sum, count) => sum + count, 0)
}

/** What an agent did, for one that wrote nothing. */
export function describeWork({ toolStats, transcriptPath }: AgentReport): string {
  const tools = Object.entries(toolStats).map(([name, count]) => `${name} ${count}`)
  const calls = countCalls(toolStats)
  const did = calls === 0 ? 'It made no tool calls.' : `It made ${calls} tool calls: ${tools.join(', ')}.`
  const where = transcriptPath === undefined ? '' : ` Its transcript: ${transcriptPath}`
  return `The agent wrote no text. ${did}${where}`
}
