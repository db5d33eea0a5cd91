import { createChildAbortController } from '@x/abort'
import type { Host } from './host.ts'
import type { AgentPlan } from './plan-agent.ts'
import { callerOf, isGuarded, type LiveAgent, senderOf } from './roster.ts'
import { createScope, type Scope } from './scope.ts'

/** An agent in the roster, and the scope that everything it starts goes into. */
export interface Beginning {
  readonly live: LiveAgent
  readonly scope: Scope
  /** Lets those who wait for it know that it is ready, or never will be. */
  readonly markReady: () => void
}

/** Puts an agent into the roster, at once: nobody else can start it, and everybody can write to it. */
export function enterAgent(host: Host, plan: AgentPlan): Beginning {
  const scope = createScope()
  const parent = plan.isBackground ? backgroundParent(host, plan) : plan.context.abortController.signal
  const { promise: ready, resolve: markReady } = Promise.withResolvers<void>()
  return { scope, markReady, live: enter(host, plan, { parent, scope, ready }) }
}

/** In the background an agent outlives its call, but not the agent that started it. */
function backgroundParent(host: Host, { context }: AgentPlan): AbortSignal {
  return (callerOf(host.roster, context)?.controller ?? host.controller).signal
}

/** While it is made ready, the call's abort is the agent's, in the background too. */
export function followCall({ context }: AgentPlan, { controller }: LiveAgent): () => void {
  const { signal } = context.abortController
  const abort = (): void => controller.abort(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  return () => signal.removeEventListener('abort', abort)
}

function enter(
  { roster, controller: all }: Host,
  plan: AgentPlan,
  {
    parent,
    scope,
    ready,
  }: { readonly parent: AbortSignal; readonly scope: Scope; readonly ready: Promise<void> },
): LiveAgent {
  const { agentId, definition, description, name, permissionMode, mainModel, budget, context } = plan
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  const controller = createChildAbortController(parent)
  const live: LiveAgent = {
    agentId,
    agentType: definition.name,
    description,
    ...(name !== undefined && { name }),
    permissionMode,
    mainModel,
    budget,
    isGuarded: plan.isIsolated || isGuarded(roster, context),
    isFork: plan.fork !== undefined,
    ...(definition.effort !== undefined && { effort: definition.effort }),
    controller,
    inbox: [],
    isStoppedByUser: false,
    isEnding: false,
    ready,
    gone,
  }
  const leave = roster.enter(live, senderOf(context))
  // The end of the session ends agents whose call belongs to nothing that ends with it.
  const end = (): void => controller.abort(all.signal.reason)
  all.signal.addEventListener('abort', end)
  scope.add(() => {
    all.signal.removeEventListener('abort', end)
    controller[Symbol.dispose]()
    roster.forget(agentId)
    leave()
    resolve()
  })
  return live
}
