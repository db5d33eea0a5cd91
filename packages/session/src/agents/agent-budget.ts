import { type Budget, createBudget } from '@x/subagent'
import type { QueryOptions } from '../session-options.ts'

/**
 * What all agents of a session may use together.
 *
 * @throws RangeError for a limit that is not greater than 0; also for one of each agent, which would else come up in the middle of the work.
 */
export function openAgentBudget({
  agentBudget,
  limitsPerAgent,
}: Pick<QueryOptions, 'agentBudget' | 'limitsPerAgent'>): Budget {
  createBudget(limitsPerAgent)
  return createBudget(agentBudget)
}
