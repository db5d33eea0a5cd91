import type { Meter } from '@x/loop'
import { AgentError } from '@x/subagent'

/**
 * Refuses an agent that is to start, or to go on, when the money of the prompt is spent. Agents at work end by themselves at their next
 * request, like the main conversation: no call is cut off.
 *
 * @throws AgentError `budget-limit`.
 */
export function assertBudgetLeft(
  { maxBudgetUsd }: { readonly maxBudgetUsd?: number },
  { costUsd }: Meter,
): void {
  if (maxBudgetUsd === undefined || costUsd < maxBudgetUsd) return
  const message = `Budget limit reached: the budget of $${maxBudgetUsd} is spent. No further agent can start.`
  throw new AgentError('budget-limit', message)
}
