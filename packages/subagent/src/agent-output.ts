import type { TextBlock, Usage } from '@x/contract'
import { type AgentReport, type AgentStatus, countCalls, countTokens } from './agent-report.ts'
import { type ReportLimits, reportText } from './report-text.ts'
import type { EndedWorktree } from './worktrees.ts'

/** What an Agent call gives back when the agent has ended. */
export interface AgentEnded {
  /** How it ended. */
  readonly status: AgentStatus
  /** Its id. */
  readonly agentId: string
  /** Its type. */
  readonly agentType: string
  /** The report, without the trailer that the model gets. */
  readonly content: readonly TextBlock[]
  /** The model it asked. */
  readonly resolvedModel: string
  /** The models that answered, where that is known. */
  readonly modelsUsed?: readonly string[]
  /** How many calls it made. */
  readonly totalToolUseCount: number
  /** How long it took. */
  readonly totalDurationMs: number
  /** Tokens of its last request. */
  readonly totalTokens: number
  /** Token counts of its last request. */
  readonly usage: Usage
  /** Its calls by tool. */
  readonly toolStats: Readonly<Record<string, number>>
  /** What it was asked to do. */
  readonly prompt: string
  /** Its worktree, if that is still there. */
  readonly worktreePath?: string
  /** The branch there. */
  readonly worktreeBranch?: string
  /** Everything that is left of its work. */
  readonly report: AgentReport
}

/** What an Agent call gives back when nobody waits for the agent. */
export interface AgentLaunched {
  /** Tells it from an end. */
  readonly status: 'async_launched'
  /** Always. */
  readonly isAsync: true
  /** Its id. */
  readonly agentId: string
  /** The task's id in the registry. */
  readonly taskId: string
  /** The words of the call. */
  readonly description: string
  /** What it was asked to do. */
  readonly prompt: string
  /** Where its conversation grows; empty where it is in memory. */
  readonly outputFile: string
  /** Whoever called has a tool to read that file with. */
  readonly canReadOutputFile: boolean
  /** The model it asks. */
  readonly resolvedModel: string
  /** Its name can be used in place of the id. */
  readonly name?: string
}

/** What an Agent call gives back. */
export type AgentOutput = AgentEnded | AgentLaunched

/** Makes the output of a call from what is left of its agent. */
export async function toOutput(
  report: AgentReport,
  prompt: string,
  limits: ReportLimits,
): Promise<AgentEnded> {
  const { agentId, agentType, status, model, modelsUsed, toolStats, durationMs, usage, worktree } = report
  return {
    status,
    agentId,
    agentType,
    content: [{ type: 'text', text: await reportText(report, limits) }],
    resolvedModel: model,
    ...(modelsUsed.length > 0 && { modelsUsed }),
    totalToolUseCount: countCalls(toolStats),
    totalDurationMs: durationMs,
    totalTokens: countTokens(usage),
    usage,
    toolStats,
    prompt,
    ...(worktree?.kept === true && placeOf(worktree)),
    report,
  }
}

function placeOf({ path, branch }: EndedWorktree): Pick<AgentEnded, 'worktreePath' | 'worktreeBranch'> {
  return { worktreePath: path, ...(branch !== undefined && { worktreeBranch: branch }) }
}
