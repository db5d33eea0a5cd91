import type { Beginning } from './enter-agent.ts'
import { AgentError } from './errors.ts'
import { ask, type Host } from './host.ts'
import type { AgentPlan } from './plan-agent.ts'
import type { AgentWorktree, EndedWorktree, WorktreeCreation, Worktrees } from './worktrees.ts'

/** Where an agent works. */
export interface Place {
  readonly cwd: string
  readonly worktree?: AgentWorktree
  /** The worktree that it had before is gone. */
  readonly lost?: string
}

/** The folder to work in. Whoever asked for isolation never gets the main checkout. */
export async function choosePlace(
  { options: { worktrees } }: Host,
  plan: AgentPlan,
  { live, scope, prepared }: Beginning & { prepared: { worktree?: EndedWorktree; isStuck: boolean } },
): Promise<Place> {
  const previous = plan.resumed?.meta.worktree
  const cwd = plan.resumed?.meta.cwd ?? plan.context.cwd
  if (!plan.isIsolated) return { cwd }
  if (worktrees === undefined) throw noIsolation('there is nothing here that makes worktrees')
  const { signal } = live.controller
  const made = await make(worktrees, plan, signal)
  if (!made.ok) throw noIsolation(made.message)
  const { worktree } = made
  scope.add(async () => {
    const { path, branch } = worktree
    // If nobody can tell whether it holds something, it stays.
    const ended = prepared.isStuck ? undefined : await ask(() => worktrees.finish(worktree))
    prepared.worktree = {
      path,
      ...(branch !== undefined && { branch }),
      kept: ended?.kept ?? true,
      ...(ended?.why !== undefined && { why: ended.why }),
    }
  })
  signal.throwIfAborted()
  const isLost = previous !== undefined && made.isNew === true
  return { cwd: made.cwd ?? worktree.path, worktree, ...(isLost && { lost: previous.path }) }
}

async function make(
  worktrees: Worktrees,
  { agentId, context: { cwd }, resumed }: AgentPlan,
  signal: AbortSignal,
): Promise<WorktreeCreation> {
  const previous = resumed?.meta.worktree
  try {
    return await worktrees.create({ name: `agent-${agentId}`, cwd, signal, ...(previous && { previous }) })
  } catch (error) {
    return { ok: false, message: messageOf(error) }
  }
}

function noIsolation(why: string): AgentError {
  return new AgentError(
    'no-isolation',
    `The agent needs a worktree of its own and there is none: ${why}. It was not started; nothing ran in the main checkout.`,
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
