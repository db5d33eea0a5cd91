import { toTaskUsage } from './agent-report.ts'
import { type Host, tell } from './host.ts'
import type { PreparedAgent } from './prepare-agent.ts'

/** Tells how far an agent in the background has come. Where somebody waits for it, it is no task, and its records tell of it. */
export function reportProgress(
  { options }: Host,
  { plan, tally, startedAt }: Pick<PreparedAgent, 'plan' | 'tally' | 'startedAt'>,
): void {
  const { usage, toolStats, lastToolName } = tally
  const used = toTaskUsage({ usage, toolStats, durationMs: Math.round(performance.now() - startedAt) })
  const progress = { ...used, ...(lastToolName !== undefined && { lastToolName }) }
  tell(() => options.tasks?.report(plan.agentId, progress))
}
