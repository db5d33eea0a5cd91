import { examine } from './examine.ts'
import { examineMissing } from './examine-missing.ts'
import { type Finding, plainFinding } from './finding.ts'
import { createGit } from './git.ts'
import { describeHolder, makeLock, takeLock } from './lock.ts'
import { standingAt } from './paths.ts'
import type { Removal } from './removal.ts'
import { removeSite } from './remove-site.ts'
import type { Repository } from './repository.ts'
import { findAside, openSite } from './site.ts'
import type { Worktree, WorktreeHooks, WorktreeOptions } from './types.ts'
import { unregister, type Working } from './unregister.ts'

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

/** The parts of the options that the steps need, with defaults. */
export function workingOf({ git = createGit(), signal, onStep = () => {} }: WorktreeOptions): Working {
  return { git, signal, onStep }
}

/** A worktree whose folder somebody deleted. */
export interface MissingWorktree {
  /** The worktree. */
  readonly worktree: Worktree
  /** Git's folder for it. */
  readonly admin: string
  /** Its repository. */
  readonly repository: Repository
}

/** The folder is not in its place: a removal that was stopped had moved it aside, or it was deleted. */
export async function finishRemoval(missing: MissingWorktree, working: Working): Promise<Removal> {
  const { worktree, admin, repository } = missing
  const folder = await findAside(worktree, { admin, repository })
  if (folder === undefined) return removeMissing(missing, working)
  const opened = await openSite(worktree, { ...working, folder })
  if (opened.type !== 'site') return { type: 'unknown', why: `${folder} cannot be judged`, path: folder }
  return removeSite(opened.site, { ...working, isHalfDone: true, allowsPushed: false })
}

/** Somebody deleted the folder: what git still keeps for it (commits, staged files) is looked at before that goes too. */
async function removeMissing(missing: MissingWorktree, working: Working): Promise<Removal> {
  const { worktree, admin, repository } = missing
  const { path } = worktree
  const judged = await examineMissing(missing, working)
  if (judged.type === 'unknown') return { type: 'unknown', why: judged.why, path }
  if (judged.findings.length > 0) return { type: 'kept', reasons: judged.findings, path }
  const lock = makeLock('removing', judged.base)
  const held = await takeLock(admin, lock)
  if (held !== undefined) return { type: 'kept', reasons: plainFinding('locked', describeHolder(held)), path }
  const remains = { repository, path, admin, branch: worktree.branch, tip: judged.base, token: lock.token }
  return { type: 'removed', branch: await unregister(remains, working) }
}

/** A hook made it, a hook removes it; with git inside only when it is empty, as any other. */
async function removeHookMade(
  worktree: Worktree,
  { hooks }: RemoveWorktreeOptions,
  working: Working,
): Promise<Removal> {
  const { path } = worktree
  if ((await standingAt(path)) === 'nothing') return { type: 'removed', branch: 'none' }
  const opened = await openSite(worktree, working)
  if (opened.type !== 'site')
    return { type: 'unknown', why: 'it was made by a hook, and git cannot tell what is in it', path }
  const examination = await examine(opened.site, { ...working, isHalfDone: false })
  if (examination.type === 'changed') return { type: 'kept', reasons: examination.findings, path }
  if (examination.type === 'unknown') return { type: 'unknown', why: examination.why, path }
  return callRemoveHook(path, hooks)
}

/** Its failure counts only while the folder is there. */
export async function callRemoveHook(path: string, hooks: WorktreeHooks | undefined): Promise<Removal> {
  if (hooks?.remove === undefined)
    return keep(plainFinding('hook-made', 'a hook made it, and no hook removes it'))
  let why = 'the hook left the folder where it is'
  try {
    await hooks.remove(path)
  } catch (error) {
    why = `the hook failed: ${error instanceof Error ? error.message : String(error)}`
  }
  const isGone = (await standingAt(path)) === 'nothing'
  return isGone ? { type: 'removed', branch: 'none' } : keep(plainFinding('hook-failed', why))

  function keep(reasons: readonly Finding[]): Removal {
    return { type: 'kept', reasons, path }
  }
}
