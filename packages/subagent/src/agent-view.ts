import type { AgentView } from './agents-options.ts'
import type { Place } from './choose-place.ts'
import type { AgentPlan } from './plan-agent.ts'
import { senderOf } from './roster.ts'

/** What callbacks are told of an agent. */
export function viewOf(plan: AgentPlan, { cwd, worktree }: Pick<Place, 'cwd' | 'worktree'>): AgentView {
  const { agentId, definition, description, prompt, name, context, depth, permissionMode, isBackground } =
    plan
  const parentAgentId = senderOf(context)
  return {
    id: agentId,
    type: definition.name,
    definition,
    description,
    prompt,
    ...(name !== undefined && { name }),
    ...(parentAgentId !== undefined && { parentAgentId }),
    toolUseId: context.toolUseId,
    depth,
    cwd,
    projectDir: worktree?.path ?? context.options.projectDir,
    permissionMode,
    isBackground,
    isResumed: plan.resumed !== undefined,
  }
}
