import { describeHolder, makeLock, readHolder, releaseLock, takeLock } from './lock.ts'
import { isSelf } from './lock-owner.ts'
import { openSite } from './site.ts'
import type { Worktree, WorktreeOptions } from './types.ts'
import { workingOf } from './working.ts'

/** Whether a worktree is now held by this process. */
export type LockResult =
  | {
      /** It is. */
      readonly type: 'locked'
    }
  | {
      /** It is not. */
      readonly type: 'refused'
      /** Who holds it, or what is wrong with it. */
      readonly why: string
    }

/** Options of `lockWorktree`. */
export interface LockWorktreeOptions extends WorktreeOptions {
  /** Refuse also where somebody in this very process works in it. @default false */
  readonly isExclusive?: boolean
}

/**
 * Locks a worktree for this process while somebody works in it: git then neither removes nor prunes it, and no sweep touches
 * it. The reason names the process and when it started, so that a sweep knows when it is gone. A fresh worktree is locked.
 */
export async function lockWorktree(
  worktree: Worktree,
  options: LockWorktreeOptions = {},
): Promise<LockResult> {
  const opened = await openSite(worktree, workingOf(options))
  if (opened.type !== 'site') {
    return {
      type: 'refused',
      why: opened.type === 'unknown' ? opened.why : `${worktree.path} does not exist`,
    }
  }
  const { admin, base } = opened.site
  const held = await takeLock(admin, makeLock('in-use', base), options)
  return held === undefined ? { type: 'locked' } : { type: 'refused', why: describeHolder(held) }
}

/** Lets go of a worktree that this process locked; anything else is left alone. Harmless twice. */
export async function releaseWorktree(worktree: Worktree, options: WorktreeOptions = {}): Promise<void> {
  const opened = await openSite(worktree, workingOf(options))
  if (opened.type !== 'site') return
  const holder = await readHolder(opened.site.admin)
  if (holder.by === 'us' && isSelf(holder.lock)) await releaseLock(opened.site.admin, holder.lock.token)
}
