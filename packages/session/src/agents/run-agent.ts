import type { AgentOutcome, RunAgent, SessionRecord, ToolUseContext } from '@x/contract'
import { type Meter, type QueryEnd, runQuery } from '@x/loop'
import { toPermissionMode } from '@x/permissions'
import { currentWorktree } from '@x/tools-worktree'
import { createAfterCalls } from '../hooks/query-hooks.ts'
import { keepAlive } from '../keep-alive.ts'
import { loopOptions } from '../loop-options.ts'
import type { SessionSetup } from '../session-setup.ts'
import { letGoOfWorktree } from '../worktrees/session-worktree.ts'
import { createAgentCompactor } from './agent-compactor.ts'
import { createMemoryPlaces, findAgentPlace } from './agent-place.ts'
import type { AgentSidechains } from './agent-sidechains.ts'
import type { AgentParts } from './set-up-agent.ts'

/** What the loop of agents is made of. */
export interface RunAgentFacts {
  readonly setup: SessionSetup
  /** What the prompt at hand spends. */
  readonly meter: () => Meter
  /** What each agent at work brought along, by its id. */
  readonly parts: ReadonlyMap<string, AgentParts>
  readonly sidechains: AgentSidechains | undefined
}

/** Makes the loop of agents: the same as the main conversation's, under the same rules and hooks. */
export function createRunAgent(facts: RunAgentFacts): RunAgent {
  const places = facts.sidechains ?? createMemoryPlaces()
  return async (request) => {
    const { setup, meter, sidechains } = facts
    const { model, signal, tools } = request
    const { context, told } = await findAgentPlace(places, request)
    const parts = facts.parts.get(request.agent.id)
    const common = loopOptions(setup)
    const effort = setup.environment.effort ?? request.effort
    const query = runQuery({
      ...common,
      includePartialMessages: false,
      modelName: model,
      ...(effort && { effort }),
      system: request.system,
      messages: request.history,
      prompt: [...told, ...request.prompt],
      tools: () => tools,
      context,
      controller: context.abortController,
      authorize: setup.access.inMode(toPermissionMode(request.permissionMode) ?? 'default', parts?.hooks),
      history: request.log,
      limits: {
        ...(setup.limits.maxBudgetUsd === undefined ? {} : { maxBudgetUsd: setup.limits.maxBudgetUsd }),
        ...(request.maxTurns === undefined ? {} : { maxTurns: request.maxTurns }),
      },
      total: meter(),
      pendingMessages: () => request.pendingMessages(),
      parentToolUseId: request.parentToolUseId,
      postSampling: [],
      stopHooks: [],
      compact: createAgentCompactor({ setup, parts, sidechains, context }),
      ...(parts && { hooks: parts.toolHooks, afterCalls: createAfterCalls(parts.hooks) }),
    })
    try {
      const end = await readToEnd(query, (record) => request.onEvent(record))
      await keepAlive(end.settled)
      return { ...toOutcome(end, signal), ...whereabouts(context) }
    } finally {
      await letGoOfWorktree(currentWorktree(context))
    }
  }
}

/** What it did may be in a worktree that it went into. */
function whereabouts(context: ToolUseContext): Pick<AgentOutcome, 'worktree'> {
  const entered = currentWorktree(context)
  if (entered === undefined) return {}
  const { path, branch } = entered.worktree
  return { worktree: { path, ...(branch !== undefined && { branch }) } }
}

interface Ended extends QueryEnd {
  readonly errors: readonly string[]
}

async function readToEnd(
  query: AsyncGenerator<SessionRecord, QueryEnd>,
  onEvent: (record: SessionRecord) => void,
): Promise<Ended> {
  let errors: readonly string[] = []
  for (;;) {
    const next = await query.next()
    if (next.done === true) return { ...next.value, errors }
    const record = next.value
    if (record.type === 'result' && record.is_error)
      errors = record.errors ?? (record.result === undefined ? [] : [record.result])
    onEvent(record)
  }
}

function toOutcome(
  { reason, messages, added, usage, costUsd, errors }: Ended,
  signal: AbortSignal,
): AgentOutcome {
  return {
    reason,
    messages,
    added,
    usage,
    costUsd,
    ...(errors.length > 0 && !signal.aborted && { error: errors.join('\n') }),
  }
}
