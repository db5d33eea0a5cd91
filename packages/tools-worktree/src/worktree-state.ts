import type { StateKey, ToolUseContext } from '@x/contract'
import { type Worktree, withoutRepository } from '@x/worktree'

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

type Placed = Pick<ToolUseContext, 'cwd' | 'options'>

/**
 * Puts a context into a worktree: its folder is also the project there, so that a shell returns to it and rules of the project count in
 * it, and no variable leads git to another repository.
 */
export function moveContext<Context extends Placed>(
  context: Context,
  { cwd }: { readonly cwd: string },
): Context {
  const { env } = context.options
  const own = env && withoutRepository(env)
  if (own && env && own !== env) before.set(own, env)
  return { ...context, cwd, options: { ...context.options, projectDir: cwd, ...(own && { env: own }) } }
}

/** Leads a context back out of a worktree. */
export function moveContextBack<Context extends Placed>(
  context: Context,
  { cwd, projectDir }: { readonly cwd: string; readonly projectDir: string },
): Context {
  const { env } = context.options
  const old = env && (before.get(env) ?? env)
  return { ...context, cwd, options: { ...context.options, projectDir, ...(old && { env: old }) } }
}

/** The environment that a context had before it was moved into a worktree; never written down. */
const before = new WeakMap<object, NonNullable<ToolUseContext['options']['env']>>()

/** The worktree that this session or agent is in; a parent's is none of an agent's. */
export function currentWorktree(
  context: Pick<ToolUseContext, 'agent' | 'getState'>,
): EnteredWorktree | undefined {
  const entered = context.getState(worktreeState)
  return entered?.agentId === context.agent?.id ? entered : undefined
}
