import { lstat, realpath } from 'node:fs/promises'
import { type LockWorktreeOptions, lockWorktree, openWorktree, type Worktree } from '@x/worktree'
import type { EnteredWorktree } from './worktree-state.ts'

/** Whether a session that goes on is in its worktree again. */
export type Resumption =
  | {
      /** It is; the worktree is locked for this process as far as git knows it. */
      readonly type: 'entered'
      /** What to set `worktreeState` to. */
      readonly entered: EnteredWorktree
    }
  | {
      /** There is no folder any more. */
      readonly type: 'gone'
    }
  | {
      /** The folder is there and must not be used: it is no such worktree any more, or somebody else works in it. */
      readonly type: 'unsafe'
      /** Why, for people. */
      readonly why: string
    }

/**
 * Goes back into the worktree that a session was in when it was written down. Changes nothing but the lock. Rejects only with the
 * signal's reason.
 */
export async function resumeWorktree(
  entered: EnteredWorktree,
  options: LockWorktreeOptions = {},
): Promise<Resumption> {
  options.signal?.throwIfAborted()
  const { worktree } = entered
  if (await isGone(worktree.path)) return { type: 'gone' }
  return worktree.isHookMade ? resumeHookMade(entered) : resumeOwn(entered, options)
}

async function isGone(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: unknown) => isMissing(error),
  )
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

async function resumeOwn(entered: EnteredWorktree, options: LockWorktreeOptions): Promise<Resumption> {
  const { worktree } = entered
  const opening = await openWorktree(worktree.path, { ...options, cwd: worktree.root })
  if (opening.type === 'refused') return { type: 'unsafe', why: opening.why }
  const locked = await lockWorktree(opening.worktree, options)
  if (locked.type === 'refused' && opening.worktree.base !== undefined)
    return { type: 'unsafe', why: locked.why }
  // One that was made anew in the same place is not the session's to discard.
  const isNew = entered.isNew && isSame(worktree, opening.worktree)
  return { type: 'entered', entered: { ...entered, worktree: opening.worktree, isNew } }
}

function isSame(one: Worktree, other: Worktree): boolean {
  return one.base === other.base && one.branch === other.branch
}

/** What a hook made need not be known to git, but it must be the folder it was. */
async function resumeHookMade(entered: EnteredWorktree): Promise<Resumption> {
  const { path } = entered.worktree
  const facts = await lstat(path)
  if (facts.isDirectory() && (await realpath(path)) === path) return { type: 'entered', entered }
  return { type: 'unsafe', why: `${path} is not the folder that it was.` }
}
