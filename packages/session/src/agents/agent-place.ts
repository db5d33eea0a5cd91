import { type AgentRequest, type ToolUseContext, type UserMessage } from '@x/contract'
import {
  currentWorktree,
  type EnteredWorktree,
  moveContext,
  resumeWorktree,
  worktreeState,
} from '@x/tools-worktree'
import { toReminder } from '../reminder.ts'

/** Where it is written down which worktree an agent has entered. */
export interface AgentPlaces {
  /** The one that it is in. */
  worktreeOf(agentId: string): EnteredWorktree | undefined
  /** It has entered one, or left the one that it was in. What cannot be written ends its next request. */
  noteWorktree(agentId: string, entered: EnteredWorktree | undefined): void
}

/** Remembers it as long as the program runs. */
export function createMemoryPlaces(): AgentPlaces {
  const places = new Map<string, EnteredWorktree>()
  return {
    worktreeOf: (agentId) => places.get(agentId),
    noteWorktree(agentId, entered) {
      if (entered === undefined) places.delete(agentId)
      else places.set(agentId, entered)
    },
  }
}

/** Where a run of an agent begins, and what the agent has to know about it. */
export interface AgentStartPlace {
  readonly context: ToolUseContext
  readonly told: readonly UserMessage[]
}

/**
 * Leads an agent back into the worktree that it has entered, as it believes to be there, and follows it from now on.
 *
 * @throws Error for a worktree that is there and must not be used: it does not work elsewhere in its place.
 */
export async function findAgentPlace(
  places: AgentPlaces,
  { agent: { id }, context, signal }: Pick<AgentRequest, 'agent' | 'context' | 'signal'>,
): Promise<AgentStartPlace> {
  const followed = follow(context, (entered) => places.noteWorktree(id, entered))
  const written = currentWorktree(context) ?? places.worktreeOf(id)
  if (written === undefined) return { context: followed, told: [] }
  const { path } = written.worktree
  const resumed = await resumeWorktree(written, { signal })
  if (resumed.type === 'unsafe') throw new Error(`cannot go on in the worktree ${path}: ${resumed.why}`)
  if (resumed.type === 'gone') {
    followed.setState(worktreeState, () => undefined)
    return {
      context: followed,
      told: [toReminder(`The worktree ${path} is gone. You go on in ${context.cwd}.`)],
    }
  }
  // Whose it is, is not written down.
  context.setState(worktreeState, () => ({ ...resumed.entered, agentId: id }))
  return { context: moveContext(followed, { cwd: path }), told: [] }
}

function follow(
  context: ToolUseContext,
  note: (entered: EnteredWorktree | undefined) => void,
): ToolUseContext {
  return {
    ...context,
    setState(key, update) {
      context.setState(key, update)
      if (Object.is(key, worktreeState)) note(context.getState(worktreeState))
    },
  }
}
