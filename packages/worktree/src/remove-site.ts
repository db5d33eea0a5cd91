import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deleteVerified } from './delete-verified.ts'
import { type Examination, examine, type Proof } from './examine.ts'
import { readAdminState } from './examine-state.ts'
import { plainFinding } from './finding.ts'
import { describeHolder, type Lock, makeLock, releaseLock, takeLock } from './lock.ts'
import { standingAt, systemCodeOf } from './paths.ts'
import type { Removal } from './removal.ts'
import { type Site, sidePlace } from './site.ts'
import { unregister } from './unregister.ts'
import type { Working } from './working.ts'

/** How strict a removal is. */
export interface RemoveSiteOptions extends Working {
  /** It was never finished, or a removal has begun: missing files are no change. */
  readonly isHalfDone: boolean
  /** Commits that a remote has are no reason to keep the folder; the branch stays. */
  readonly allowsPushed: boolean
  /** The lock that its maker still has: another one might not fit on the disk. @default one is taken */
  readonly lock?: Lock
}

/**
 * Removes a worktree that is provably empty: lock, look, move aside, look again, delete what was seen, forget.
 *
 * Moved aside under a name that nobody knows, it is out of reach of whoever writes by path; the second look is at what is
 * there then. Whatever is not as expected moves it back. A stop at any point leaves the lock, by which a sweep goes on.
 */
export async function removeSite(site: Site, options: RemoveSiteOptions): Promise<Removal> {
  const { onStep } = options
  onStep('lock')
  const { lock = makeLock('removing', site.base) } = options
  const held = options.lock === undefined ? await takeLock(site.admin, lock) : undefined
  if (held !== undefined)
    return { type: 'kept', reasons: plainFinding('locked', describeHolder(held)), path: site.folder }
  try {
    onStep('examine')
    const first = judge(await examine(site, options), options)
    if (first.type !== 'empty') {
      // What a stopped removal had deleted comes back.
      if (options.isHalfDone) await putBack(site, options)
      return await giveUp(await moveBack(site), lock, first)
    }
    onStep('move-aside')
    const aside = await moveAside(site, lock)
    if (aside === undefined) return await giveUp(site, lock, { type: 'changed', findings: busy })
    return await removeAside(aside, lock, options)
  } catch (error) {
    if (options.signal?.aborted === true) await releaseLock(site.admin, lock.token)
    throw error
  }
}

type Kept = Exclude<Examination, { readonly type: 'empty' }>

const busy = plainFinding('busy', 'it could not be moved aside: something in it is in use')

async function removeAside(site: Site, lock: Lock, options: RemoveSiteOptions): Promise<Removal> {
  const { onStep } = options
  try {
    onStep('examine-again')
    const second = judge(await examine(site, options), options)
    if (second.type !== 'empty') return await giveUp(await moveBack(site), lock, second)
    onStep('delete')
    const deletion = await deleteVerified(site.folder, second.proof)
    if (deletion.type === 'stopped') return await restore(site, lock, { why: deletion.why, options })
    onStep('check-git')
    if ((await readAdminState(site.admin)) !== second.proof.adminState) {
      return await giveUp(await rebuild(site, second.proof, options), lock, movedOn)
    }
  } catch (error) {
    if (options.signal?.aborted === true) await moveBack(site)
    throw error
  }
  const { repository, admin, branch, base } = site
  const remains = { repository, admin, branch, tip: base, path: site.worktree.path, token: lock.token }
  // The files are gone: an abort would only leave the rest for a sweep.
  return { type: 'removed', branch: await unregister(remains, { ...options, signal: undefined }) }
}

const movedOn: Kept = {
  type: 'changed',
  findings: plainFinding('commits', 'something was committed or staged while it was removed'),
}

/** Commits that a remote has are safe there, and on the branch, which stays. */
function judge(examination: Examination, { allowsPushed }: RemoveSiteOptions): Examination {
  if (examination.type !== 'changed' || !allowsPushed) return examination
  const { findings, proof } = examination
  const arePushed = findings.every(({ code }) => code === 'commits')
  return arePushed && proof !== undefined ? { type: 'empty', proof } : examination
}

async function moveAside(site: Site, lock: Lock): Promise<Site | undefined> {
  // A sweep that goes on with a removal finds it aside already.
  if (site.folder !== site.worktree.path) return site
  const folder = sidePlace(dirname(site.folder), site.worktree.name, lock.token)
  try {
    await rename(site.folder, folder)
    return { ...site, folder }
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error
    return undefined
  }
}

/** Where somebody has put something else in its place meanwhile, it stays aside. */
async function moveBack(site: Site): Promise<Site> {
  const { path } = site.worktree
  if (site.folder === path || (await standingAt(path)) !== 'nothing') return site
  try {
    await rename(site.folder, path)
    return { ...site, folder: path }
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error
    return site
  }
}

/** Puts back what had been deleted when something turned up. */
async function restore(
  site: Site,
  lock: Lock,
  { why, options }: { readonly why: string; readonly options: RemoveSiteOptions },
): Promise<Removal> {
  const back = await moveBack(site)
  await putBack(back, options)
  return giveUp(back, lock, { type: 'changed', findings: plainFinding('busy', why) })
}

/** The files are gone, but git's folder has something new: the worktree is made again from what it now is. */
async function rebuild(site: Site, { link }: Proof, options: RemoveSiteOptions): Promise<Site> {
  const folder = site.worktree.path
  await mkdir(folder)
  await writeFile(join(folder, '.git'), link)
  await putBack({ ...site, folder }, options)
  return { ...site, folder }
}

/** Files that are there are left as they are. */
async function putBack({ folder }: Site, { git, signal }: RemoveSiteOptions): Promise<void> {
  await git(['checkout-index', '--all', '--quiet'], { cwd: folder, signal })
}

async function giveUp(site: Site, lock: Lock, judgement: Kept): Promise<Removal> {
  await releaseLock(site.admin, lock.token)
  return judgement.type === 'changed'
    ? { type: 'kept', reasons: judgement.findings, path: site.folder }
    : { type: 'unknown', why: judgement.why, path: site.folder }
}
