import { type Message, repairHistory, type Tool } from '@x/contract'
import type { Place } from './choose-place.ts'
import type { Host } from './host.ts'
import type { AgentPlan } from './plan-agent.ts'
import { isGuarded, type LiveAgent, senderOf } from './roster.ts'
import type { Sidechain, SidechainEnd } from './sidechains.ts'
import { interruptedCallText } from './texts.ts'

/** Opens the transcript. What the repair put behind an open call is written down, so that it is the same for good. */
export async function openSidechain(
  host: Host,
  plan: AgentPlan,
  {
    place,
    tools,
    live,
  }: { readonly place: Place; readonly tools: readonly Tool[]; readonly live: LiveAgent },
): Promise<Sidechain> {
  const { agentId, definition, description, context, name, model, depth, fork } = plan
  const parentAgentId = senderOf(context)
  const sidechain = await host.sidechains.open(agentId, {
    agentType: definition.name,
    description,
    toolUseId: context.toolUseId,
    ...(parentAgentId !== undefined && { parentAgentId }),
    ...(name !== undefined && { name }),
    model,
    depth,
    cwd: place.cwd,
    toolNames: tools.map((tool) => tool.name),
    ...(isGuarded(host.roster, context) && { isGuarded: true }),
    ...(fork && { system: fork.system }),
    ...(place.worktree && { worktreePath: place.worktree.path, worktree: place.worktree }),
  })
  const added = plan.resumed === undefined ? historyOf(plan) : mendedEnd(plan)
  if (added.length > 0) await sidechain.append(added)
  const { signal } = live.controller
  if (signal.aborted) await sidechain.close(stoppedEnd(live))
  signal.throwIfAborted()
  return sidechain
}

/** The end of one that was stopped before it ran: whom a person stopped, no model wakes. */
export function stoppedEnd({ isStoppedByUser }: LiveAgent): SidechainEnd {
  return { status: 'interrupted', isStoppedByUser }
}

/** What it goes on with. A call that was open when the transcript broke off counts as interrupted; it is not run again. */
export function historyOf({ resumed, fork }: AgentPlan): readonly Message[] {
  if (resumed === undefined) return fork?.messages ?? []
  return repairHistory(resumed.messages, { missingResultText: interruptedCallText }).messages
}

/** The messages that the repair put behind the others, where it changed none of those. */
function mendedEnd(plan: AgentPlan): readonly Message[] {
  const before = plan.resumed?.messages ?? []
  const after = historyOf(plan)
  return before.every((message, index) => message === after[index]) ? after.slice(before.length) : []
}
