import {
  type AgentOutcome,
  type HookOutcome,
  type Message,
  reminderText,
  type TerminalReason,
  type UserMessage,
} from '@x/contract'
import type { AgentStatus } from './agent-report.ts'
import { createChildWatch } from './child-watch.ts'
import { ask, type Host } from './host.ts'
import type { PreparedAgent } from './prepare-agent.ts'
import { type RunEnd, runOnce, spentBy } from './run-once.ts'
import { lastTurnText, userText } from './texts.ts'

/** How an agent's runs ended, before anything of it was released. */
export interface AgentEnding {
  readonly status: AgentStatus
  readonly error?: string
  readonly isApiError: boolean
}

/** A stop callback may send an agent on so often. */
const maxStopBlocks = 8

/** Runs an agent until it has finished and nothing sends it on: no message, no child at work, no stop callback. Never rejects. */
export async function driveAgent(host: Host, agent: PreparedAgent): Promise<AgentEnding> {
  const { signal } = agent.live.controller
  const children = createChildWatch(host.options.tasks, agent)
  const pendingMessages = (): readonly UserMessage[] => [
    ...children.takeNotices(),
    ...agent.live.inbox.splice(0),
  ]
  let history = agent.history
  let prompt: readonly UserMessage[] = [agent.prompt]
  let blocks = 0
  while (prompt.length > 0) {
    const spent = spentBy(agent)
    if (spent !== undefined) return endAtLimit(host, agent, { history, prompt, limit: spent })
    const end = await runOnce(host, agent, { history, prompt, pendingMessages, isReport: false })
    history = end.outcome.messages
    const ending = await endingOf(host, agent, end)
    if (ending !== undefined) return ending
    await children.untilNews(signal)
    prompt = pendingMessages()
    if (prompt.length > 0 || blocks >= maxStopBlocks) continue
    const reason = await askToGoOn(host, agent, blocks > 0)
    // Somebody may have written while the callback was at work.
    prompt = [...reason, ...pendingMessages()]
    blocks += 1
  }
  // From now on a message would not be heard: whoever writes wakes the agent up.
  agent.live.isEnding = true
  return signal.aborted ? interrupted : { status: 'completed', isApiError: false }
}

/** Ends an agent that was stopped, has reached a limit or failed; undefined: it has finished by itself. */
async function endingOf(
  host: Host,
  agent: PreparedAgent,
  { outcome, limit }: RunEnd,
): Promise<AgentEnding | undefined> {
  const { signal } = agent.live.controller
  if (signal.aborted) return interrupted
  const reached = limit ?? limitOf(outcome, agent)
  if (reached === undefined) return finished.has(outcome.reason) ? undefined : broken(outcome, agent)
  return endAtLimit(host, agent, { history: outcome.messages, prompt: [], limit: reached })
}

interface LimitReached {
  readonly history: readonly Message[]
  /** What it was to be told next. */
  readonly prompt: readonly UserMessage[]
  /** Which limit, in words. */
  readonly limit: string
}

/** Lets an agent report in one last turn. */
async function endAtLimit(
  host: Host,
  agent: PreparedAgent,
  { history, prompt, limit }: LimitReached,
): Promise<AgentEnding> {
  const limited: AgentEnding = { status: 'limit', error: limit, isApiError: false }
  // A run that was left behind may still write: nothing else is started beside it.
  if (agent.isStuck) return limited
  await runOnce(host, agent, {
    history,
    prompt: [...prompt, userText(lastTurnText(limit))],
    pendingMessages: () => [],
    isReport: true,
  })
  return agent.live.controller.signal.aborted ? interrupted : limited
}

const interrupted: AgentEnding = {
  status: 'interrupted',
  error: 'The agent was stopped.',
  isApiError: false,
}

const finished: ReadonlySet<TerminalReason> = new Set(['completed', 'hook_stopped', 'stop_hook_prevented'])
const apiErrors: ReadonlySet<TerminalReason> = new Set(['api_error', 'model_error', 'prompt_too_long'])

function limitOf({ reason, error }: AgentOutcome, { plan }: PreparedAgent): string | undefined {
  const { maxTurns } = plan.definition
  if (reason === 'max_turns') return `the limit of ${maxTurns ?? 'all its'} turns is reached`
  return reason === 'budget_exhausted' ? (error ?? 'the budget is spent') : undefined
}

function broken({ reason, error }: AgentOutcome, { tally }: PreparedAgent): AgentEnding {
  return {
    status: tally.lastText === '' ? 'failed' : 'partial',
    error: error ?? `The run ended with ${reason}`,
    isApiError: apiErrors.has(reason),
  }
}

/** What a stop callback says to an agent that has finished. */
async function askToGoOn(
  { options }: Host,
  { live, tally, view }: PreparedAgent,
  isActive: boolean,
): Promise<readonly UserMessage[]> {
  const { signal } = live.controller
  const { lastText } = tally
  const outcome = await ask<HookOutcome>(() => options.onStop?.({ agent: view, lastText, isActive, signal }))
  if (outcome === undefined || outcome.stop !== undefined) return []
  const texts = [
    ...outcome.context.map(reminderText),
    ...(outcome.blockingError === undefined ? [] : [outcome.blockingError]),
  ]
  return texts.length === 0 ? [] : [userText(...texts)]
}
