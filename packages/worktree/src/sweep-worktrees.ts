import { rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Finding, plainFinding } from './finding.ts'
import { finishRemoval } from './finish-removal.ts'
import { tidyFolder } from './hide-from-status.ts'
import { type ListedSite, listSites } from './list-worktrees.ts'
import { readHolder } from './lock.ts'
import { standingAt } from './paths.ts'
import type { Removal } from './removal.ts'
import { removeSite } from './remove-site.ts'
import { findRepository, type Repository } from './repository.ts'
import { openSite } from './site.ts'
import type { Worktree, WorktreeOptions } from './types.ts'
import { type Working, workingOf } from './working.ts'

/** Options of `sweepWorktrees`. */
export interface SweepWorktreesOptions extends WorktreeOptions {
  /** A folder of the repository. */
  readonly cwd: string
  /** Days without use after which an empty worktree is removed; 0: at once. @default 30 */
  readonly maxAgeDays?: number
  /** Gives the present, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** What a sweep did. */
export interface Sweep {
  /** Those that are gone. */
  readonly removed: readonly Worktree[]
  /** Those whose lock was of a process that is gone; they may be among the others too. */
  readonly released: readonly Worktree[]
  /** Those that it would have removed if nothing were in them. */
  readonly kept: readonly KeptWorktree[]
}

/** One worktree that stays, and why. */
export interface KeptWorktree {
  /** The worktree. */
  readonly worktree: Worktree
  /** Where it is now. */
  readonly path: string
  /** What is in it; empty when nobody can tell. */
  readonly reasons: readonly Finding[]
  /** Why nobody can tell. */
  readonly why?: string
}

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Tidies the worktrees of a repository: goes on with what a dead process began, releases its locks, and removes those that
 * are long unused and provably empty (commits that a remote has do not count; the branch then stays).
 *
 * What is in use, locked by others or marked never to be swept is left alone. Rejects only with the signal's reason.
 *
 * @throws RangeError if `maxAgeDays` is negative or not a number.
 */
export async function sweepWorktrees(options: SweepWorktreesOptions): Promise<Sweep> {
  const { maxAgeDays = 30, now = Date.now, signal } = options
  if (!(maxAgeDays >= 0)) throw new RangeError(`maxAgeDays must be 0 or more, got ${maxAgeDays}`)
  signal?.throwIfAborted()
  const working = workingOf(options)
  const found = await findRepository(options.cwd, working)
  if (found.type === 'failed') return { removed: [], released: [], kept: [] }
  const { repository } = found
  const oldest = now() - maxAgeDays * DAY_MS
  const sites = await listSites(repository)
  const ends: SweptSite[] = []
  for (const site of sites) {
    signal?.throwIfAborted()
    const end = await sweepOne(site, { repository, working, oldest })
    if (end !== undefined) ends.push({ worktree: site.listed.worktree, end })
  }
  await tidyFolder(repository)
  return {
    removed: ends.filter(({ end }) => end.type === 'removed').map(({ worktree }) => worktree),
    released: sites.filter(({ holder }) => holder.by === 'us' && holder.life === 'dead').map(worktreeOf),
    kept: ends.flatMap(({ worktree, end }) => (end.type === 'removed' ? [] : [toKept(worktree, end)])),
  }
}

interface SweptSite {
  readonly worktree: Worktree
  readonly end: Removal
}

function worktreeOf({ listed }: ListedSite): Worktree {
  return listed.worktree
}

function toKept(worktree: Worktree, end: Exclude<Removal, { readonly type: 'removed' }>): KeptWorktree {
  return end.type === 'kept'
    ? { worktree, path: end.path, reasons: end.reasons }
    : { worktree, path: end.path, reasons: [], why: end.why }
}

interface SweepContext {
  readonly repository: Repository
  readonly working: Working
  /** What was used later than this stays. */
  readonly oldest: number
}

/** Returns nothing when there was nothing to decide. */
async function sweepOne(site: ListedSite, context: SweepContext): Promise<Removal | undefined> {
  const { listed, admin } = site
  if (listed.state === 'in-use') return undefined
  const isOld = listed.usedAtMs <= context.oldest
  if (admin === undefined) return isOld ? removeEmptyFolder(listed.worktree.path) : undefined
  if (listed.state === 'half-made' || listed.state === 'half-removed') return finish(site, admin, context)
  const mayGo = isOld && listed.isSweepable
  if (mayGo) return remove(site, admin, { ...context, isHalfDone: false })
  if (listed.state === 'abandoned') await releaseDead(admin)
  return undefined
}

async function finish(site: ListedSite, admin: string, context: SweepContext): Promise<Removal> {
  const { worktree } = site.listed
  // Git was stopped before it wrote where the worktree is: nothing of it exists but this folder of git's.
  if ((await standingAt(join(admin, 'gitdir'))) === 'nothing') {
    await releaseDead(admin)
    const { git, signal } = context.working
    await git(['worktree', 'prune', '--expire=never'], { cwd: context.repository.root, signal })
    return (await removeEmptyFolder(worktree.path)) ?? { type: 'removed', branch: 'none' }
  }
  return remove(site, admin, { ...context, isHalfDone: true })
}

async function remove(
  { listed: { worktree } }: ListedSite,
  admin: string,
  { repository, working, isHalfDone }: SweepContext & { readonly isHalfDone: boolean },
): Promise<Removal> {
  const opened = await openSite(worktree, working)
  if (opened.type === 'site')
    return removeSite(opened.site, { ...working, isHalfDone, allowsPushed: !isHalfDone })
  if (opened.type === 'missing') return finishRemoval({ worktree, admin, repository }, working)
  return { type: 'unknown', why: opened.why, path: worktree.path }
}

/** A folder that git does not know: an empty one is what a creation leaves that was stopped at once. */
async function removeEmptyFolder(path: string): Promise<Removal | undefined> {
  if ((await standingAt(path)) === 'nothing') return undefined
  try {
    await rmdir(path)
    return { type: 'removed', branch: 'none' }
  } catch {
    return { type: 'kept', reasons: plainFinding('untracked', 'git does not know what is in it'), path }
  }
}

async function releaseDead(admin: string): Promise<void> {
  const holder = await readHolder(admin)
  if (holder.by === 'us' && holder.life === 'dead') await rm(join(admin, 'locked'), { force: true })
}
