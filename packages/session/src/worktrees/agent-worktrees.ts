import { basename } from 'node:path'
import type { AgentWorktree, WorktreeCreation, WorktreeRequest, Worktrees } from '@x/subagent'
import { resumeWorktree } from '@x/tools-worktree'
import {
  createWorktree,
  createWorktreeGuard,
  type Removal,
  releaseWorktree,
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
    return worktree
  }
  return {
    async create(request) {
      const before = await goBack(request)
      const { name, cwd, signal } = request
      if (before !== undefined) return before.ok ? { ok: true, worktree: hold(before.worktree, cwd) } : before
      const made = await createWorktree({ ...worktreeSettings(setup), name, cwd, signal, hooks })
      return made.type === 'created'
        ? { ok: true, isNew: true, worktree: hold(made.worktree, cwd) }
        : { ok: false, message: made.message }
    },
    async finish({ path }) {
      const own = held.get(path)
      held.delete(path)
      if (own === undefined) return { kept: true }
      const removal = await removeWorktree(own.worktree, { hooks })
      // Where no lock for the removal could be had, it is still that of the agent.
      if (removal.type === 'kept' && removal.reasons.some(({ code }) => code === 'locked'))
        await releaseWorktree(own.worktree)
      return toEnd(removal, path)
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
  const { path, root } = previous
  const entered = { worktree: toWorktree(previous), originalCwd: root, isNew: false, isNamed: false }
  // The session itself may work there now: neither would know of the other.
  const resumed = await resumeWorktree(entered, { signal, isExclusive: true })
  if (resumed.type === 'gone') return undefined
  return resumed.type === 'entered'
    ? { ok: true, worktree: resumed.entered.worktree }
    : { ok: false, message: `it cannot go back to ${path}: ${resumed.why}` }
}

/** What was written down of it, maybe by an older version. */
function toWorktree(stored: AgentWorktree): Worktree {
  const { path, root, branch } = stored
  const { name, base, isHookMade }: Partial<Record<keyof Worktree, unknown>> = { ...stored }
  return {
    name: typeof name === 'string' ? name : basename(path),
    path,
    root,
    ...(branch !== undefined && branch !== '' && { branch }),
    ...(typeof base === 'string' && { base }),
    isHookMade: isHookMade === true,
  }
}
