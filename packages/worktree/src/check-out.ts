import { realpath, rmdir } from 'node:fs/promises'
import { CHECK_OUT_MS, type Git, type GitOutcome } from './git.ts'
import { formatLock, type Lock, makeLock } from './lock.ts'
import type { Place } from './place.ts'
import { findAdmin, readRegistrations } from './registration.ts'
import { removeSite } from './remove-site.ts'
import { describeFailure, type Repository } from './repository.ts'
import { openSite } from './site.ts'
import type { CreationFailure, Worktree } from './types.ts'
import type { Working } from './working.ts'
import { branchOf } from './worktree-name.ts'

/** The first entry of a branch's reflog, by which one of ours is told from another of its name. */
const BRANCH_MADE = 'worktree: created'

/** What is to be checked out where. */
export interface CheckOutPlan {
  /** The folder that was taken. */
  readonly place: Place
  /** The repository. */
  readonly repository: Repository
  /** The commit. */
  readonly commit: string
  /** Only these folders; all when empty. */
  readonly sparsePaths: readonly string[]
  /** How git is asked. */
  readonly working: Working
}

/** A worktree that git made, not yet equipped. */
export interface CheckedOut {
  /** Tells it from a failure. */
  readonly type: 'checked-out'
  /** The worktree. */
  readonly worktree: Worktree & { readonly base: string; readonly branch: string }
  /** Git's folder for it. */
  readonly admin: string
  /** The lock it was made with. */
  readonly lock: Lock
}

/**
 * Has git make the worktree, locked from its first moment; the branch comes last, so that a stop never leaves one that no
 * worktree has. Failure or abort removes what was made. `taken`: somebody made a branch of this name in the meantime.
 */
export async function checkOut(plan: CheckOutPlan): Promise<CheckedOut | CreationFailure | 'taken'> {
  const lock = makeLock('creating', plan.commit)
  try {
    const made = await addWorktree(plan, lock)
    if (made === 'taken' || made.type === 'failed') await undo(plan, lock)
    return made
  } catch (error) {
    if (plan.working.signal?.aborted === true) await undo(plan, lock)
    throw error
  }
}

async function addWorktree(plan: CheckOutPlan, lock: Lock): Promise<CheckedOut | CreationFailure | 'taken'> {
  const { place, repository, commit, sparsePaths, working } = plan
  const { git, signal, onStep } = working
  onStep('add-worktree')
  const flags = ['--detach', '--lock', '--reason', formatLock(lock)]
  const added = await git(
    ['worktree', 'add', ...flags, ...(sparsePaths.length > 0 ? ['--no-checkout'] : []), place.path, commit],
    { cwd: repository.root, signal, timeoutMs: CHECK_OUT_MS },
  )
  if (!added.ok) return describeFailure(repository.root, added)
  const admin = await verify(plan)
  if (typeof admin !== 'string') return admin
  if (sparsePaths.length > 0) {
    onStep('check-out-sparse')
    const filled = await fillSparse(git, plan)
    if (!filled.ok) return describeFailure(repository.root, filled)
  }
  const branch = branchOf(place.name)
  const onBranch = await makeBranch(branch, plan)
  if (onBranch !== undefined) return onBranch
  const { name, path } = place
  const worktree = { name, path, root: repository.root, branch, base: commit, isHookMade: false }
  return { type: 'checked-out', worktree, admin, lock }
}

/** What git made must be where it was meant to be, with a git folder of its own. */
async function verify({ place, repository, working }: CheckOutPlan): Promise<string | CreationFailure> {
  const { git, signal } = working
  const asked = await git(['rev-parse', '--show-toplevel', '--absolute-git-dir'], { cwd: place.path, signal })
  if (!asked.ok) return describeFailure(place.path, asked)
  const [top = '', gitDir] = asked.stdout.split('\n')
  const admin = await findAdmin(place.path, repository.commonDir)
  const isOwn =
    admin !== undefined &&
    gitDir === admin &&
    top === place.path &&
    (await realpath(place.path)) === place.path &&
    top !== repository.root
  return isOwn ? admin : leadsToMain(place.path, repository.root)
}

/** The folder belongs to the main checkout, whatever its name says. */
export function leadsToMain(path: string, root: string): CreationFailure {
  const message = `Refusing to use ${path} as an isolation worktree: its git metadata leads to the checkout ${root}.`
  return { type: 'failed', code: 'leads-to-main', message }
}

async function fillSparse(git: Git, { place, sparsePaths, working }: CheckOutPlan): Promise<GitOutcome> {
  const call = { cwd: place.path, signal: working.signal, timeoutMs: CHECK_OUT_MS }
  const limited = await git(['sparse-checkout', 'set', '--cone', '--', ...sparsePaths], call)
  return limited.ok ? git(['read-tree', '-m', '-u', 'HEAD'], call) : limited
}

async function makeBranch(
  branch: string,
  plan: CheckOutPlan,
): Promise<CreationFailure | 'taken' | undefined> {
  const { place, repository, commit, working } = plan
  const { git, signal, onStep } = working
  const ref = `refs/heads/${branch}`
  onStep('make-branch')
  // The empty old value: only while there is none.
  const args = ['update-ref', '--create-reflog', '-m', BRANCH_MADE, ref, commit, '']
  const made = await git(args, { cwd: repository.root, signal })
  // Any other failure would be the same with the next name.
  if (!made.ok) return /\bexists\b/.test(made.message) ? 'taken' : describeFailure(repository.root, made)
  onStep('take-branch')
  const taken = await git(['symbolic-ref', '-m', 'worktree: on its branch', 'HEAD', ref], {
    cwd: place.path,
    signal,
  })
  return taken.ok ? undefined : describeFailure(place.path, taken)
}

/** Removes what a failed creation left: only git's own files can be in it. */
async function undo({ place, repository, commit, working }: CheckOutPlan, lock: Lock): Promise<void> {
  const { name, path } = place
  const registration = (await readRegistrations(repository.commonDir)).find((entry) => entry.path === path)
  if (registration === undefined) {
    await rmdir(path).catch(() => {})
    return
  }
  const branch = branchOf(name)
  const log = ['log', '--walk-reflogs', '--max-count=1', '--format=%gs', `refs/heads/${branch}`, '--']
  const made = await working.git(log, { cwd: repository.root })
  const own = made.ok && made.stdout.trim() === BRANCH_MADE ? { branch } : {}
  const worktree = { name, path, root: repository.root, base: commit, isHookMade: false, ...own }
  await removeHalfMade({ worktree, lock }, working)
}

/** Removes a worktree that was never handed out, under the lock that it was made with. */
export async function removeHalfMade(
  { worktree, lock }: { readonly worktree: Worktree; readonly lock: Lock },
  working: Working,
): Promise<void> {
  const unhurried: Working = { git: working.git, signal: undefined, onStep: () => {} }
  const opened = await openSite(worktree, unhurried)
  if (opened.type === 'site')
    await removeSite(opened.site, { ...unhurried, lock, isHalfDone: true, allowsPushed: false })
}
