import { tidyFolder } from './hide-from-status.ts'
import { releaseLock } from './lock.ts'
import { standingAt } from './paths.ts'
import { pause } from './pause.ts'
import type { Repository } from './repository.ts'
import type { Working } from './working.ts'

/** What is left of a worktree whose folder is gone. */
export interface Remains {
  /** Its repository. */
  readonly repository: Repository
  /** Where its folder was. */
  readonly path: string
  /** Git's folder for it. */
  readonly admin: string
  /** Its branch. */
  readonly branch: string | undefined
  /** The commit its branch must still be at to be deleted. */
  readonly tip: string
  /** The lock held on it. */
  readonly token: string
}

/**
 * Deletes the branch while it is at its first commit (one that moved stays), then has git forget the worktree. In this order
 * a stop in between leaves a registration that a sweep finds, never a branch that nobody knows.
 */
export async function unregister(remains: Remains, working: Working): Promise<'removed' | 'kept' | 'none'> {
  const { repository, path, admin, token } = remains
  const { git, signal, onStep } = working
  onStep('delete-branch')
  const branch = await deleteBranch(remains, working)
  onStep('unregister')
  await releaseLock(admin, token)
  // Git reads what it keeps for other worktrees, and dies of one that is just being made: a moment later it does not.
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    // Without --force: git refuses where somebody else locked it meanwhile, and deletes no folder, for there is none.
    const removed = await git(['worktree', 'remove', path], { cwd: repository.root, signal })
    if (removed.ok || (await standingAt(admin)) === 'nothing') break
    await pause(tries * PAUSE_MS, signal)
  }
  await tidyFolder(repository)
  return branch
}

const MAX_TRIES = 5
const PAUSE_MS = 20

async function deleteBranch(
  remains: Remains,
  { git, signal }: Working,
): Promise<'removed' | 'kept' | 'none'> {
  const { branch, tip, repository } = remains
  if (branch === undefined) return 'none'
  const call = { cwd: repository.root, signal }
  const ref = `refs/heads/${branch}`
  // Git compares and deletes at one stroke, so a commit made a moment ago stays on its branch.
  const deleted = await git(['update-ref', '-d', ref, tip], call)
  if (deleted.ok) return 'removed'
  const exists = await git(['show-ref', '--verify', '--quiet', ref], call)
  return exists.ok ? 'kept' : 'none'
}
