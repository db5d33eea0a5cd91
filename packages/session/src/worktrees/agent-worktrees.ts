import type { AgentWorktree, WorktreeCreation, WorktreeRequest, Worktrees } from '@x/subagent'
import {
  createWorktree,
  createWorktreeGuard,
  lockWorktree,
  openWorktree,
  type Removal,
  removeWorktree,
  type Worktree,
  type WorktreeGuard,
  withoutRepository,
} from '@x/worktree'
import type { SessionSetup } from '../session-setup.ts'
import { createWorktreeHooks } from './worktree-hooks.ts'
import { worktreeSettings } from './worktree-settings.ts'

interface Held {
  readonly worktree: Worktree
  readonly guard: WorktreeGuard
}

/** Gives agents git worktrees of their own. */
export function createAgentWorktrees(setup: SessionSetup): Worktrees {
  const held = new Map<string, Held>()
  const hooks = createWorktreeHooks(setup)
  // An agent may have the paths of its parent from a conversation, wherever the parent works.
  const hold = (worktree: Worktree, from: string): AgentWorktree => {
    held.set(worktree.path, { worktree, guard: createWorktreeGuard(worktree, { from }) })
    return { path: worktree.path, branch: worktree.branch ?? '', root: worktree.root }
  }
  return {
    async create(request) {
      const before = await goBack(request)
      const { name, cwd, signal } = request
      if (before !== undefined) return before.ok ? { ok: true, worktree: hold(before.worktree, cwd) } : before
      const made = await createWorktree({ ...worktreeSettings(setup), name, cwd, signal, hooks })
      return made.type === 'created'
        ? { ok: true, worktree: hold(made.worktree, cwd) }
        : { ok: false, message: made.message }
    },
    async finish({ path }) {
      const own = held.get(path)
      held.delete(path)
      return own === undefined ? { kept: true } : toEnd(await removeWorktree(own.worktree, { hooks }), path)
    },
    environment: withoutRepository,
    guard: ({ path }, { toolName, input, context }) =>
      held.get(path)?.guard.check(toolName, input, context.cwd),
  }
}

/** With the reasons it stays for; one that could not be put back is elsewhere. */
function toEnd(removal: Removal, path: string): Awaited<ReturnType<Worktrees['finish']>> {
  if (removal.type === 'removed') return { kept: false }
  const reasons =
    removal.type === 'kept'
      ? removal.reasons.map(({ message }) => message)
      : [`nobody can tell what is in it (${removal.why})`]
  const place = removal.path === path ? [] : [`it is now at ${removal.path}`]
  return { kept: true, why: [...place, ...reasons].join('; ') }
}

type Before = { readonly ok: true; readonly worktree: Worktree } | Extract<WorktreeCreation, { ok: false }>

/** An agent that goes on goes back to where it was, as long as that stands. */
async function goBack({ previous, signal }: WorktreeRequest): Promise<Before | undefined> {
  if (previous === undefined) return undefined
  const opened = await openWorktree(previous.path, { cwd: previous.root, signal })
  if (opened.type === 'refused') return undefined
  const locked = await lockWorktree(opened.worktree, { signal })
  return locked.type === 'locked'
    ? { ok: true, worktree: opened.worktree }
    : { ok: false, message: `The worktree ${previous.path} is in use: ${locked.why}` }
}
