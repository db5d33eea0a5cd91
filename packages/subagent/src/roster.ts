import { AbortReason } from '@x/abort'
import type { AgentIdentity, EffortLevel, TextBlock, UserMessage } from '@x/contract'
import type { Budget } from './budget.ts'
import { AgentError } from './errors.ts'

/** An agent at work. */
export interface LiveAgent {
  readonly agentId: string
  readonly agentType: string
  readonly description: string
  readonly name?: string
  readonly permissionMode: string
  /** The model of the main session: that of its agents' agents, where nobody says another. */
  readonly mainModel: string
  readonly budget: Budget
  /** It, or an agent above it, works in a worktree of its own: its tools are guarded. */
  readonly isGuarded: boolean
  /** It goes on with its parent's conversation. */
  readonly isFork: boolean
  /** How hard its model thinks, where that is its own. */
  readonly effort?: EffortLevel
  /** Its system prompt, once it is made. */
  system?: readonly TextBlock[]
  /** Ends the agent when it aborts. */
  readonly controller: AbortController
  /** Messages that it has not heard. */
  readonly inbox: UserMessage[]
  /** Set while it waits for news. */
  wake?: (() => void) | undefined
  /** A person stopped it. */
  isStoppedByUser: boolean
  /** It has finished and hears nothing any more; what it started is being released. */
  isEnding: boolean
  /** Resolves when it is ready to run, or when that came to nothing: then it is gone. Never rejects. */
  readonly ready: Promise<void>
  /** Resolves when nothing of it is left. Never rejects. */
  readonly gone: Promise<void>
}

/** Who is at work, and who is called what. */
export interface Roster {
  /** By id. */
  readonly live: ReadonlyMap<string, LiveAgent>
  /** Agents started in all. */
  readonly started: number
  /** Takes an agent in; returns the undo. Its name is its own from now on, whoever had it before. */
  enter(agent: LiveAgent, sender: string | undefined): () => void
  /**
   * The id behind `to`: an id, or a name as the sender knows it. Undefined: no such name here.
   *
   * @throws AgentError `name-taken-over` if another agent has the name now than when the sender last used it.
   */
  resolve(to: string, sender: string | undefined): string | undefined
  /** Forgets what an agent knew. */
  forget(sender: string): void
}

/** So many names are remembered; the oldest is forgotten first. */
const maxNames = 1_000

/** Makes an empty roster. */
export function createRoster(): Roster {
  const live = new Map<string, LiveAgent>()
  const holders = new Map<string, { readonly agentId: string; readonly description: string }>()
  /** For each sender, whom it means by a name. */
  const known = new Map<string, Map<string, string>>()
  let started = 0

  function learn(sender: string | undefined, name: string, agentId: string): void {
    const key = sender ?? main
    const names = known.get(key) ?? new Map<string, string>()
    known.set(key, names)
    rememberLast(names, name, agentId)
  }

  return {
    live,
    get started() {
      return started
    },
    enter(agent, sender) {
      const { agentId, name, description } = agent
      live.set(agentId, agent)
      started += 1
      if (name !== undefined) {
        rememberLast(holders, name, { agentId, description })
        learn(sender, name, agentId)
      }
      return () => void live.delete(agentId)
    },
    resolve(to, sender) {
      if (live.has(to)) return to
      const holder = holders.get(to)
      if (holder === undefined) return undefined
      const meant = known.get(sender ?? main)?.get(to)
      if (meant !== undefined && meant !== holder.agentId) throw takenOver(to, meant, holder)
      learn(sender, to, holder.agentId)
      return holder.agentId
    },
    forget: (sender) => void known.delete(sender),
  }
}

const main = ''

/** Puts a message where an agent reads it at its next turn. */
export function leaveFor(live: LiveAgent, message: UserMessage): void {
  live.inbox.push(message)
  live.wake?.()
}

/** Ends an agent. What is ending by itself was not stopped by anybody. */
export function stopLive(live: LiveAgent, isByUser: boolean): void {
  live.isStoppedByUser ||= isByUser && !live.isEnding
  live.controller.abort(new AbortReason(isByUser ? 'user-cancel' : 'host-stopped'))
}

/** Whether whoever calls works in a worktree of an agent, so that its tools are guarded. */
export function isGuarded(
  { live }: Pick<Roster, 'live'>,
  context: { readonly agent?: AgentIdentity },
): boolean {
  return callerOf({ live }, context)?.isGuarded === true
}

/** The agent whose call it is; undefined in the main session. */
export function callerOf(
  { live }: Pick<Roster, 'live'>,
  context: { readonly agent?: AgentIdentity },
): LiveAgent | undefined {
  return live.get(senderOf(context) ?? '')
}

/** Who asks: an agent's id, or nothing for the main session. */
export function senderOf({ agent }: { readonly agent?: AgentIdentity }): string | undefined {
  return agent?.id
}

function rememberLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > maxNames && oldest !== undefined) map.delete(oldest)
}

function takenOver(
  name: string,
  meant: string,
  holder: { readonly agentId: string; readonly description: string },
): AgentError {
  return new AgentError(
    'name-taken-over',
    `"${name}" now reaches another agent than before: ${holder.agentId} (${holder.description}). Nothing was sent. ` +
      `Use the agent id: ${holder.agentId} for that one, ${meant} for the one you knew.`,
  )
}
