import type { HistoryLog, Message, SessionRecord, TextBlock } from '@x/contract'
import type { AgentStatus } from './agent-report.ts'
import type { RunningTask } from './own-tasks.ts'
import type { AgentWorktree } from './worktrees.ts'

/** What is kept of an agent beside its conversation, so that another process can go on with it. */
export interface AgentMeta {
  /** Its type. */
  readonly agentType: string
  /** The words of the call that started it. */
  readonly description: string
  /** The call that started it last. */
  readonly toolUseId: string
  /** The agent that started it; absent in the main session. */
  readonly parentAgentId?: string
  /** The name it can be reached by. */
  readonly name?: string
  /** Its model; kept when it goes on. */
  readonly model: string
  /** The layer it runs in, 1 below the main session. */
  readonly depth: number
  /** The folder it works in. */
  readonly cwd: string
  /** The names of its tools: it never has more when it goes on. */
  readonly toolNames: readonly string[]
  /** Where its worktree is. */
  readonly worktreePath?: string
  /** Its worktree, as whoever made it knows it. */
  readonly worktree?: AgentWorktree
  /** It worked in the worktree of an agent above it: only from there it can go on. @default false */
  readonly isGuarded?: boolean
  /** The system prompt of the conversation it is a fork of; absent in every other agent. */
  readonly system?: readonly TextBlock[]
  /** A person stopped it: only a person starts it again. @default false */
  readonly isStoppedByUser?: boolean
}

/** The transcript of one agent, while the agent runs. */
export interface Sidechain extends HistoryLog {
  /** The file, where there is one. */
  readonly path?: string
  /** Takes each record as it happens, for what messages do not tell (usage, structured outputs). Must not throw. @default nothing */
  record?(record: SessionRecord): void
  /** Writes down what the agent runs in the background, in place of what was written before. Must not throw. @default a crash loses it */
  noteRunning?(tasks: readonly RunningTask[]): void
  /** Writes down how the agent ended and lets go of the file. */
  close(end: SidechainEnd): Promise<void>
}

/** What is written down at an agent's end. */
export interface SidechainEnd {
  /** How it ended. */
  readonly status: AgentStatus
  /** A person stopped it. */
  readonly isStoppedByUser: boolean
}

/** A transcript that was written before. */
export interface StoredAgent {
  /** The agent's id. */
  readonly agentId: string
  /** What is known of it. */
  readonly meta: AgentMeta
  /** Its conversation as far as it was written; may end in the middle of a turn. */
  readonly messages: readonly Message[]
  /** What it ran in the background when its program ended, and never heard of since. @default [] */
  readonly running?: readonly RunningTask[]
}

/** Transcripts of agents: the port to whoever keeps them. */
export interface Sidechains {
  /** Opens the transcript of an agent, new or to be gone on with; `meta` replaces what was known. */
  open(agentId: string, meta: AgentMeta): Promise<Sidechain>
  /** The agent of this id, or else the one that had this name last. */
  find(idOrName: string): Promise<StoredAgent | undefined>
}

/** Keeps the transcripts of the last agents in memory, `maxAgents` (50) of them. */
export function createMemorySidechains(maxAgents = 50): Sidechains {
  const stored = new Map<string, { meta: AgentMeta; readonly messages: Message[] }>()
  return {
    async open(agentId, meta) {
      const entry = { meta, messages: stored.get(agentId)?.messages ?? [] }
      stored.delete(agentId)
      stored.set(agentId, entry)
      for (const id of [...stored.keys()].slice(0, Math.max(0, stored.size - maxAgents))) stored.delete(id)
      return {
        append: async (messages) => void entry.messages.push(...messages),
        async close({ isStoppedByUser }) {
          entry.meta = { ...entry.meta, isStoppedByUser }
        },
      }
    },
    async find(idOrName) {
      const byName = [...stored].findLast(([, { meta }]) => meta.name === idOrName)?.[0]
      const agentId = stored.has(idOrName) ? idOrName : byName
      const entry = agentId === undefined ? undefined : stored.get(agentId)
      return entry && agentId !== undefined
        ? { agentId, meta: entry.meta, messages: entry.messages.slice() }
        : undefined
    },
  }
}
