import type { StateKey, ToolUseContext } from '@x/contract'
import type { Worktree } from '@x/worktree'

/** The worktree that a session is in. Plain data: a session may write it down and come back to it. */
export interface EnteredWorktree {
  /** The worktree. */
  readonly worktree: Worktree
  /** Where the session was before, and returns to. */
  readonly originalCwd: string
  /** The project folder then. @default originalCwd */
  readonly originalProjectDir?: string
  /** This session made it; one that was there before is not its to discard. */
  readonly isNew: boolean
  /** Somebody gave it its name, so it is not cleared away without asking. */
  readonly isNamed: boolean
  /** The agent that entered it; absent for the main session. */
  readonly agentId?: string
}

/** Where the state is kept; a session that starts in a worktree (`--worktree`, resume) sets it. */
export const worktreeState: StateKey<EnteredWorktree | undefined> = {
  name: 'worktree',
  initial: () => undefined,
}

/** Puts a context into a folder that is also the project there: a shell returns to it, and rules of the project count in it. */
export function moveContext<Context extends Pick<ToolUseContext, 'cwd' | 'options'>>(
  context: Context,
  { cwd, projectDir = cwd }: { readonly cwd: string; readonly projectDir?: string },
): Context {
  return { ...context, cwd, options: { ...context.options, projectDir } }
}

/** The worktree that this session or agent is in; a parent's is none of an agent's. */
export function currentWorktree(
  context: Pick<ToolUseContext, 'agent' | 'getState'>,
): EnteredWorktree | undefined {
  const entered = context.getState(worktreeState)
  return entered?.agentId === context.agent?.id ? entered : undefined
}
