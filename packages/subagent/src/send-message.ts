import { raceAbort } from '@x/abort'
import type { ToolUseContext, UserMessage } from '@x/contract'
import type { AgentLaunched } from './agent-output.ts'
import { AgentError } from './errors.ts'
import { findAgent } from './find-agent.ts'
import { definitionsOf } from './fork.ts'
import type { Host } from './host.ts'
import { launchAgent } from './launch-agent.ts'
import { planResume } from './plan-agent.ts'
import { prepareAgent } from './prepare-agent.ts'
import { oneLine } from './report-text.ts'
import { type LiveAgent, leaveFor, senderOf } from './roster.ts'
import type { StoredAgent } from './sidechains.ts'
import { agentMessage, userText } from './texts.ts'

/** A message for an agent or the main conversation. */
export interface AgentMessage {
  /** An agent's id or name, or `main`. */
  readonly to: string
  /** What it says. */
  readonly text: string
  /** In a few words. @default the first line, cut at 200 characters */
  readonly summary?: string
  /** A person wrote it: it wakes up agents that a person stopped. @default false */
  readonly isByUser?: boolean
  /** Whose message it is, and the place of the call where it wakes somebody up. */
  readonly context: ToolUseContext
}

/** What became of a message. */
export type Delivery =
  | {
      /** It waits for the next turn of the one it is for. */
      readonly status: 'queued'
      /** The agent's id, or `main`. */
      readonly to: string
    }
  | {
      /** The agent had ended; it goes on in the background. */
      readonly status: 'resumed'
      /** The agent's id. */
      readonly to: string
      /** The task it runs as. */
      readonly launched: AgentLaunched
    }

/** Delivers a message. */
export async function sendMessage(host: Host, message: AgentMessage): Promise<Delivery> {
  if (message.to === 'main') return sendToMain(host, message)
  return deliverInTurn(host, resolveReceiver(host, message), message)
}

/** One after the other: each message meets the agent as the one before left it. */
async function deliverInTurn(host: Host, to: string, message: AgentMessage): Promise<Delivery> {
  return host.inTurn(to, message.context.abortController.signal, () => deliver(host, to, message))
}

async function deliver(host: Host, to: string, message: AgentMessage): Promise<Delivery> {
  const { signal } = message.context.abortController
  for (let live = host.roster.live.get(to); live !== undefined; live = host.roster.live.get(to)) {
    // What is made ready may come to nothing; nobody would read the message then.
    await raceAbort(live.ready, signal)
    if (host.roster.live.get(to) === live && hears(live)) return queue(live, message)
    // One that is just ending hears nothing any more: it goes on once it is gone.
    await raceAbort(live.gone, signal)
  }
  const stored = await raceAbort(host.sidechains.find(to), signal)
  if (stored === undefined) throw unknownAgent(host, message.to)
  // A name that nobody here has may be that of an agent of an earlier process.
  return stored.agentId === to ? resume(host, stored, message) : deliverInTurn(host, stored.agentId, message)
}

/** The id behind `to`, or a name that nobody here has. */
function resolveReceiver({ roster }: Host, { to, context }: AgentMessage): string {
  const sender = senderOf(context)
  const agentId = roster.resolve(to, sender) ?? to
  if (agentId === sender) throw new AgentError('unknown-agent', `${to} is yourself. Nothing was sent.`)
  return agentId
}

function hears({ isEnding, controller }: LiveAgent): boolean {
  return !isEnding && !controller.signal.aborted
}

/** A mill of agents that write to each other ends here, before it fills a conversation. */
const maxUnread = 100

function assertRoom(unread: number, to: string): void {
  if (unread < maxUnread) return
  const why = `${unread} messages for ${to} have not been read yet. Nothing was sent. Go on with your own work.`
  throw new AgentError('inbox-full', why)
}

function queue(live: LiveAgent, message: AgentMessage): Delivery {
  assertRoom(live.inbox.length, live.agentId)
  leaveFor(live, toMessage(message))
  return { status: 'queued', to: live.agentId }
}

async function sendToMain({ notices }: Host, message: AgentMessage): Promise<Delivery> {
  if (message.context.agent === undefined) {
    throw new AgentError('unknown-agent', 'You are the main conversation yourself. Nothing was sent.')
  }
  assertRoom(notices.size, 'the main conversation')
  await notices.add(toMessage(message))
  return { status: 'queued', to: 'main' }
}

function toMessage(message: AgentMessage): UserMessage {
  return userText(toText(message))
}

function toText({ text, summary, isByUser = false, context }: AgentMessage): string {
  return isByUser ? text : agentMessage(senderOf(context) ?? 'main', summary ?? summarize(text), text)
}

/** The first line, not too long. */
function summarize(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return line.length > 200 ? `${line.slice(0, 200).toWellFormed()}…` : line
}

async function resume(host: Host, stored: StoredAgent, message: AgentMessage): Promise<Delivery> {
  const { agentId } = stored
  const { tasks } = host.options
  assertResumable(host, stored, message.isByUser === true)
  if (tasks === undefined) {
    const why = `Agent ${agentId} has ended, and nothing can run in the background here. Start a new agent.`
    throw new AgentError('no-background', why)
  }
  await assertAllowed(host, stored, message)
  const plan = planResume(host, {
    stored,
    prompt: toText(message),
    context: message.context,
    isByUser: message.isByUser === true,
  })
  const agent = await prepareAgent(host, plan)
  return { status: 'resumed', to: agentId, launched: launchAgent(host, agent, tasks) }
}

function assertResumable(host: Host, { agentId, meta }: StoredAgent, isByUser: boolean): void {
  if (meta.isStoppedByUser === true && !isByUser) {
    const why = `Agent ${agentId} was stopped by the user. It goes on only when the user writes to it. Nothing was sent.`
    throw new AgentError('not-resumable', why)
  }
  if (findAgent(definitionsOf(host), meta.agentType)?.isOneShot === true) {
    const why = `Agents of type ${meta.agentType} answer once and cannot go on. Start a new one.`
    throw new AgentError('not-resumable', why)
  }
}

/** What rules say of starting such an agent, they say of waking it. */
async function assertAllowed(host: Host, { meta }: StoredAgent, message: AgentMessage): Promise<void> {
  if (message.isByUser === true) return
  const { agentType: type, description } = meta
  const why = await host.options.mayWake?.({ type, description, prompt: message.text }, message.context)
  if (why !== undefined) throw new AgentError('not-resumable', `${why} Nothing was sent.`)
}

function unknownAgent({ roster }: Host, to: string): AgentError {
  const running = [...roster.live.values()].map(({ agentId, name, description }) =>
    name === undefined
      ? `${agentId} (${oneLine(description)})`
      : `${agentId} or ${oneLine(name)} (${oneLine(description)})`,
  )
  const list = running.length === 0 ? 'No agent is running.' : `Running: ${running.join(', ')}`
  return new AgentError('unknown-agent', `There is no agent "${to}". ${list}`)
}
