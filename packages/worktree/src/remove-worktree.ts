import { finishRemoval } from './finish-removal.ts'
import type { Removal } from './removal.ts'
import { removeHookMade } from './remove-by-hook.ts'
import { removeSite } from './remove-site.ts'
import { openSite } from './site.ts'
import type { Worktree, WorktreeHooks, WorktreeOptions } from './types.ts'
import { workingOf } from './working.ts'

/** Options of `removeWorktree`. */
export interface RemoveWorktreeOptions extends WorktreeOptions {
  /** Removes what a WorktreeCreate hook made. Without it such a folder stays. */
  readonly hooks?: WorktreeHooks
  /** Commits that a remote has do not keep the folder; the branch then stays. @default false */
  readonly allowsPushed?: boolean
}

/**
 * Removes a worktree, but only one that is provably as it was made: nothing changed, added, ignored, committed, stashed or in
 * progress. Its branch goes with it while it is at its first commit. Whatever git cannot tell keeps it.
 *
 * Removing what is gone already gives `removed`. Rejects only with the signal's reason.
 */
export async function removeWorktree(
  worktree: Worktree,
  options: RemoveWorktreeOptions = {},
): Promise<Removal> {
  options.signal?.throwIfAborted()
  const working = workingOf(options)
  const { path } = worktree
  if (worktree.isHookMade) return removeHookMade(worktree, options, working)
  const opened = await openSite(worktree, working)
  if (opened.type === 'unknown') return { type: 'unknown', why: opened.why, path }
  if (opened.type === 'missing') {
    const { admin, repository } = opened
    if (admin === undefined) return { type: 'removed', branch: 'none' }
    return finishRemoval({ worktree, admin, repository }, working)
  }
  const { allowsPushed = false } = options
  return removeSite(opened.site, { ...working, isHalfDone: false, allowsPushed })
}
