import type { AgentReport } from './agent-report.ts'
import { type AgentEnding, driveAgent } from './drive-agent.ts'
import { ask, type Host, tell } from './host.ts'
import type { AgentPlan } from './plan-agent.ts'
import type { PreparedAgent } from './prepare-agent.ts'
import { createTally } from './tally.ts'

/** Runs an agent, releases everything that it started, and says what is left of its work. Never rejects. */
export async function runToEnd(host: Host, agent: PreparedAgent): Promise<AgentReport> {
  const { live, scope, view, sidechain } = agent
  const ending = await driveAgent(host, agent).catch((error: unknown) => unexpected(error, agent))
  live.isEnding = true
  agent.end = { status: statusOf(ending, agent), isStoppedByUser: live.isStoppedByUser }
  // What it did not hear is not lost: it is there when the agent goes on.
  if (live.inbox.length > 0) await ask(() => sidechain.append(live.inbox.splice(0)))
  await scope.close()
  const report = toReport(ending, agent)
  tell(() => host.options.onEnd?.(report, view))
  return report
}

/** What is left of an agent that was stopped before it began: nothing. */
export function blankReport({ agentId, definition, description, model, budget }: AgentPlan): AgentReport {
  return {
    status: 'interrupted',
    agentId,
    agentType: definition.name,
    description,
    lastText: '',
    error: 'The agent was stopped before it began.',
    isApiError: false,
    filesChanged: [],
    model,
    modelsUsed: [],
    toolStats: {},
    durationMs: 0,
    usage: createTally(budget).usage,
  }
}

/** One that was stopped before it was gone did not complete, however close it was. */
function statusOf({ status }: AgentEnding, { live }: PreparedAgent): AgentReport['status'] {
  return live.controller.signal.aborted ? 'interrupted' : status
}

function unexpected(error: unknown, { tally }: PreparedAgent): AgentEnding {
  return {
    status: tally.lastText === '' ? 'failed' : 'partial',
    error: error instanceof Error ? error.message : String(error),
    isApiError: false,
  }
}

function toReport(ending: AgentEnding, agent: PreparedAgent): AgentReport {
  const { plan, view, tally, sidechain, filesChanged, entered, startedAt } = agent
  const worktree = agent.worktree ?? (entered && { ...entered, kept: true })
  const status = statusOf(ending, agent)
  const error = ending.error ?? (status === 'interrupted' ? 'The agent was stopped.' : undefined)
  return {
    status,
    agentId: plan.agentId,
    agentType: plan.definition.name,
    description: plan.description,
    lastText: tally.lastText,
    ...(error !== undefined && { error }),
    isApiError: ending.isApiError,
    filesChanged: [...filesChanged],
    ...(sidechain.path !== undefined && { transcriptPath: sidechain.path }),
    ...(worktree !== undefined && { worktree }),
    ...(view.definition.isOneShot !== true && { resume: { to: plan.agentId } }),
    model: plan.model,
    modelsUsed: tally.modelsUsed,
    toolStats: tally.toolStats,
    durationMs: Math.round(performance.now() - startedAt),
    usage: tally.usage,
  }
}
