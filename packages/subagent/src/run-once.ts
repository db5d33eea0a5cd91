import { AbortReason, createChildAbortController } from '@x/abort'
import {
  type AgentOutcome,
  type AgentRequest,
  type Message,
  repairHistory,
  type SessionRecord,
  type UserMessage,
} from '@x/contract'
import { refuseTools } from './guard-tool.ts'
import { type Host, tell } from './host.ts'
import type { PreparedAgent } from './prepare-agent.ts'
import { reportProgress } from './report-progress.ts'
import { interruptedCallText } from './texts.ts'
import { watchedLog } from './watched-log.ts'
import { withGrace } from './with-grace.ts'

/** One run of the loop. */
export interface RunInput {
  readonly history: readonly Message[]
  readonly prompt: readonly UserMessage[]
  /** What waits to be heard between turns. */
  readonly pendingMessages: () => readonly UserMessage[]
  /** Only a last text is wanted; no limit counts but time. */
  readonly isReport: boolean
}

/** What a run came to: the loop's outcome, and the limit that ended it. */
export interface RunEnd {
  readonly outcome: AgentOutcome
  readonly limit?: string
}

/** Runs the loop once. Never rejects: a loop that throws, or does not hear its abort in time, is an outcome too. */
export async function runOnce(host: Host, agent: PreparedAgent, input: RunInput): Promise<RunEnd> {
  const { live, plan, tally, sidechain } = agent
  using run = createChildAbortController(live.controller)
  let limit: string | undefined
  const stop = (why: string): void => {
    limit ??= why
    run.abort(new AbortReason('host-stopped', { message: why }))
  }
  const check = (): void => {
    const spent = input.isReport ? undefined : spentBy(agent)
    if (spent !== undefined) stop(spent)
  }
  const log = watchedLog(sidechain)
  const request = toRequest(agent, input)
  const time = startTimer(input.isReport ? host.reportMs : plan.budget.remainingMs(), () =>
    stop(plan.budget.exhausted() ?? 'its time is over'),
  )
  try {
    const outcome = await settle(host, agent, {
      ...request,
      log,
      context: { ...agent.context, abortController: run },
      signal: run.signal,
      // Between turns nothing is at work that a stop could cut off.
      pendingMessages() {
        check()
        return run.signal.aborted ? [] : input.pendingMessages()
      },
      onEvent(record) {
        // A loop that asks for no messages is stopped when its next answer comes.
        if (tally.isNewMessage(record)) check()
        hear(host, agent, record)
      },
    })
    const added = outcome.added ?? addedTo(input.history, outcome.messages)
    tally.settle(outcome, added)
    agent.entered = outcome.worktree
    // A loop of few lines writes nothing down itself.
    if (log.appended.length === 0) await sidechain.append(outcome.messages.slice(input.history.length))
    return { outcome, ...(limit !== undefined && { limit }) }
  } catch (error) {
    return { outcome: failure(input.history, log.appended, error), ...(limit !== undefined && { limit }) }
  } finally {
    clearTimeout(time)
  }
}

/** What an agent has used up, in words. */
export function spentBy(agent: PreparedAgent): string | undefined {
  return agent.plan.budget.exhausted() ?? turnsSpent(agent)
}

/** A loop ends itself at the limit, one message after the last turn; one that does not is stopped. */
function turnsSpent({ plan, tally }: PreparedAgent): string | undefined {
  const { maxTurns = Infinity } = plan.definition
  return tally.toolTurns > maxTurns + 1 ? `the limit of ${maxTurns} turns is reached` : undefined
}

type StaticRequest = Omit<AgentRequest, 'log' | 'context' | 'signal' | 'onEvent' | 'pendingMessages'>

function toRequest(agent: PreparedAgent, input: RunInput): StaticRequest {
  const { plan, view, tally } = agent
  const { maxTurns, effort = plan.fork?.effort } = plan.definition
  const { history, prompt, isReport } = input
  const turnsLeft = maxTurns === undefined ? undefined : Math.max(1, maxTurns - tally.toolTurns)
  return {
    agent: { id: view.id, type: view.type },
    system: agent.system,
    history,
    prompt,
    tools: isReport ? refuseTools(agent.tools) : agent.tools,
    model: plan.model,
    permissionMode: plan.permissionMode,
    ...(effort !== undefined && { effort }),
    ...(isReport ? { maxTurns: 1 } : turnsLeft !== undefined && { maxTurns: turnsLeft }),
    isReport,
    isBackground: plan.isBackground,
    parentToolUseId: plan.context.toolUseId,
  }
}

async function settle(host: Host, agent: PreparedAgent, request: AgentRequest): Promise<AgentOutcome> {
  const running = (async () => host.options.runAgent(request))()
  const ended = await withGrace(running, request.signal, host.abortGraceMs)
  if (ended.inTime) return ended.value
  agent.isStuck = true
  throw new Error('The run did not end after its abort; it was left behind.')
}

function hear(host: Host, agent: PreparedAgent, record: SessionRecord): void {
  const { plan, tally, sidechain, view } = agent
  if (tally.see(record)) reportProgress(host, agent)
  tell(() => sidechain.record?.(record))
  tell(() => plan.onEvent?.(record))
  tell(() => host.options.onEvent?.(record, view))
}

/** What a run came to that told nothing itself: what it wrote down. */
function failure(history: readonly Message[], appended: readonly Message[], error: unknown): AgentOutcome {
  const { messages } = repairHistory([...history, ...appended], { missingResultText: interruptedCallText })
  return {
    reason: 'model_error',
    messages,
    added: appended,
    error: error instanceof Error ? error.message : String(error),
  }
}

/** What stands behind the history; all of it where the history was replaced. */
function addedTo(history: readonly Message[], messages: readonly Message[]): readonly Message[] {
  const isContinued = history.every((message, index) => message === messages[index])
  return isContinued ? messages.slice(history.length) : messages
}

const longestTimerMs = 2 ** 31 - 1

function startTimer(ms: number, ring: () => void): ReturnType<typeof setTimeout> | undefined {
  // A timer may ring a little early.
  return ms > longestTimerMs ? undefined : setTimeout(ring, Math.ceil(ms) + 1)
}
