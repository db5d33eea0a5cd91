import { randomUUID } from 'node:crypto'
import type { SessionRecord, ToolUseContext } from '@x/contract'
import { type Budget, createBudget } from './budget.ts'
import { chooseBackground, chooseModel, choosePermissionMode } from './choices.ts'
import type { AgentDefinition } from './definition.ts'
import { AgentError } from './errors.ts'
import { findAgent, pickAgents } from './find-agent.ts'
import { definitionsOf, type ForkedConversation, forkAgent, isForkMode, takeFork } from './fork.ts'
import type { Host } from './host.ts'
import { callerOf, isGuarded, senderOf } from './roster.ts'
import type { AgentMeta, StoredAgent } from './sidechains.ts'

/** What a call asks for. */
export interface AgentCall {
  /** Three to five words for people. */
  readonly description: string
  /** What the agent shall do. */
  readonly prompt: string
  /** Its type. @default 'general-purpose' */
  readonly type?: string
  /** Its model. @default the definition's, else the main model */
  readonly model?: string
  /** Nobody waits for it. @default false */
  readonly isBackground?: boolean
  /** A name to write to it by. @default none */
  readonly name?: string
  /** It works in a worktree of its own. @default as the definition says */
  readonly isolation?: 'worktree'
  /** The context of the call; the agent gets an isolated one of its own. */
  readonly context: ToolUseContext
  /** Every record of the agent, as it happens. A throw is ignored. */
  readonly onEvent?: (record: SessionRecord) => void
}

/** A decided start: nothing in it can be refused any more but by the outside world. */
export interface AgentPlan extends Omit<AgentCall, 'type' | 'isBackground' | 'model' | 'isolation'> {
  readonly agentId: string
  readonly definition: AgentDefinition
  readonly model: string
  readonly permissionMode: string
  readonly mainModel: string
  readonly depth: number
  readonly isBackground: boolean
  readonly isIsolated: boolean
  readonly budget: Budget
  /** The conversation it goes on with, where it is a fork. */
  readonly fork?: ForkedConversation
  /** What it said before, for one that goes on. */
  readonly resumed?: StoredAgent
}

const defaultType = 'general-purpose'

/**
 * Decides how an agent is started.
 *
 * @throws AgentError if it must not start; the message says why and what to do.
 */
export function planAgent(host: Host, call: AgentCall): AgentPlan {
  const { context, type: _type, isBackground, isolation, ...rest } = call
  assertOpen(host)
  const depth = context.chain.depth + 1
  const definition = chooseDefinition(host, call)
  assertWithinLimits(host, depth)
  const fork = takeFork(host, definition, context)
  return {
    ...rest,
    context,
    agentId: createId(),
    definition,
    model: fork === undefined ? modelOf(host, call, definition) : context.options.model,
    permissionMode: modeOf(host, context, definition),
    mainModel: mainModelOf(host, context),
    depth,
    isBackground: chooseBackground(host.env, {
      isPossible: host.options.tasks !== undefined,
      isForkMode: isForkMode(host.env) && host.options.mainSystem !== undefined,
      ...(isBackground !== undefined && { call: isBackground }),
      ...(definition.background !== undefined && { definition: definition.background }),
    }),
    isIsolated: (isolation ?? definition.isolation) === 'worktree',
    budget: budgetOf(host, context),
    ...(fork && { fork }),
  }
}

function createId(): string {
  return `a${randomUUID().replaceAll('-', '').slice(0, 16)}`
}

/**
 * Decides how an agent that has ended goes on: as what it was, in the background, in nobody's way.
 *
 * @throws AgentError if it cannot.
 */
export function planResume(
  host: Host,
  call: Omit<AgentCall, 'type' | 'description'> & {
    readonly stored: StoredAgent
    readonly isByUser?: boolean
  },
): AgentPlan {
  const { stored, context, prompt, isByUser = false } = call
  const { agentId, meta } = stored
  assertOpen(host)
  const definition = findStored(host, meta)
  if (definition === undefined) {
    const message = `Agent ${agentId} cannot go on: there is no agent type "${meta.agentType}" any more.`
    throw new AgentError('not-resumable', message)
  }
  assertGuarded(host, { meta, agentId, context })
  if (!isByUser) assertAgentLimit(host)
  assertBudget(host)
  return {
    agentId,
    definition,
    description: meta.description,
    prompt,
    context,
    ...(meta.name !== undefined && { name: meta.name }),
    model: resolveModel(host, meta.model),
    permissionMode: modeOf(host, context, definition),
    mainModel: mainModelOf(host, context),
    depth: Math.max(meta.depth, context.chain.depth + 1),
    isBackground: true,
    isIsolated: meta.worktree !== undefined,
    budget: budgetOf(host, context),
    ...(definition.isFork && { fork: { system: meta.system ?? [], messages: [] } }),
    resumed: stored,
  }
}

/** Only the agent whose worktree it worked in has the tools that keep it there. */
function assertGuarded(
  { roster }: Host,
  { meta, agentId, context }: Pick<AgentPlan, 'agentId' | 'context'> & { readonly meta: AgentMeta },
): void {
  const { isGuarded: needsGuard = false, worktree, parentAgentId = 'that agent' } = meta
  if (!needsGuard || worktree !== undefined) return
  if (senderOf(context) === parentAgentId && isGuarded(roster, context)) return
  const message = `Agent ${agentId} cannot go on from here: it worked in the worktree of ${parentAgentId}. Write to ${parentAgentId}, or start a new agent.`
  throw new AgentError('not-resumable', message)
}

/** A fork goes on as one, also where no new ones are made. */
function findStored(host: Host, { agentType, system }: AgentMeta): AgentDefinition | undefined {
  return system === undefined ? findAgent(definitionsOf(host), agentType) : forkAgent
}

function modelOf(host: Host, { model, context }: AgentCall, definition: AgentDefinition): string {
  const chosen = chooseModel(host.env, {
    main: mainModelOf(host, context),
    ...(model !== undefined && { call: model }),
    ...(definition.model !== undefined && { definition: definition.model }),
  })
  return resolveModel(host, chosen)
}

function resolveModel({ options }: Host, name: string): string {
  return options.resolveModel?.(name) ?? name
}

function chooseDefinition(host: Host, { type, context }: AgentCall): AgentDefinition {
  const all = definitionsOf(host)
  const allowed = context.agent === undefined ? host.options.allowedTypes?.() : undefined
  const usable = pickAgents(all, allowed)
  const found = findAgent(usable, type ?? defaultType)
  if (found !== undefined) return found
  const names = usable.map(({ name }) => name).join(', ') || 'none'
  const fault =
    type === undefined
      ? `subagent_type is required: there is no agent "${defaultType}" here.`
      : `Agent type '${type}' not found.`
  throw new AgentError('unknown-type', `${fault} Available agents: ${names}`)
}

function assertWithinLimits({ limits, roster, ...host }: Host, depth: number): void {
  if (depth > limits.maxDepth) {
    const message = `Agent depth limit reached: agents run at most ${limits.maxDepth} layers deep. Do this work yourself.`
    throw new AgentError('depth-limit', message)
  }
  if (roster.live.size >= limits.maxConcurrent) {
    const message = `Concurrent subagent limit reached: ${roster.live.size} agents are running. Do not retry; wait for one to end, or do the work yourself.`
    throw new AgentError('concurrency-limit', message)
  }
  assertAgentLimit({ limits, roster })
  assertBudget(host)
}

/** Agents that only wake each other, or the main conversation each time, end here too. */
function assertAgentLimit({ limits, roster }: Pick<Host, 'limits' | 'roster'>): void {
  if (roster.started < limits.maxAgents) return
  const message = `Agent limit reached: this session has started ${roster.started} agents. Do the work yourself.`
  throw new AgentError('agent-limit', message)
}

function assertBudget({ budget }: Pick<Host, 'budget'>): void {
  const spent = budget.exhausted()
  if (spent === undefined) return
  throw new AgentError('budget-limit', `Budget limit reached: ${spent}. No further agent can start.`)
}

function assertOpen({ controller }: Host): void {
  if (controller.signal.aborted) throw new AgentError('closed', 'The session is ending; no agent can start.')
}

/** The mode of whoever calls is the parent's: an agent's own, else the session's. */
function modeOf(host: Host, context: ToolUseContext, definition: AgentDefinition): string {
  const { permissionMode = () => 'default', isModeDisabled = () => false } = host.options
  return choosePermissionMode(
    callerOf(host.roster, context)?.permissionMode ?? permissionMode(),
    definition.permissionMode,
    isModeDisabled,
  )
}

function mainModelOf({ roster }: Host, context: ToolUseContext): string {
  return callerOf(roster, context)?.mainModel ?? context.options.model
}

/** Whoever calls pays, by whatever route. */
function budgetOf({ options, roster, budget }: Host, context: ToolUseContext): Budget {
  return createBudget(options.limitsPerAgent, { parent: callerOf(roster, context)?.budget ?? budget })
}
