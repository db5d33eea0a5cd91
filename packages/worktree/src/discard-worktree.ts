import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { plainFinding } from './finding.ts'
import { withoutNewline } from './git-output.ts'
import { describeHolder, makeLock, takeLock } from './lock.ts'
import { systemCodeOf } from './paths.ts'
import type { Removal } from './removal.ts'
import { callRemoveHook } from './remove-by-hook.ts'
import { type RemoveWorktreeOptions, removeWorktree } from './remove-worktree.ts'
import { openSite, type Site, sidePlace } from './site.ts'
import type { Worktree } from './types.ts'
import { unregister } from './unregister.ts'
import { type Working, workingOf } from './working.ts'

/**
 * Removes a worktree WITH everything in it: files, its branch and the commits on it. Only for somebody who said so.
 *
 * Still refused: what is no worktree of the repository, the main checkout, and one that is locked by others or in use elsewhere.
 */
export async function discardWorktree(
  worktree: Worktree,
  options: RemoveWorktreeOptions = {},
): Promise<Removal> {
  options.signal?.throwIfAborted()
  if (worktree.isHookMade) return callRemoveHook(worktree.path, options.hooks)
  const working = workingOf(options)
  const opened = await openSite(worktree, working)
  if (opened.type === 'unknown') return { type: 'unknown', why: opened.why, path: worktree.path }
  return opened.type === 'missing' ? removeWorktree(worktree, options) : discardSite(opened.site, working)
}

async function discardSite(site: Site, working: Working): Promise<Removal> {
  const { worktree, repository, admin, branch, base } = site
  const lock = makeLock('removing', base)
  const held = await takeLock(admin, lock)
  if (held !== undefined)
    return { type: 'kept', reasons: plainFinding('locked', describeHolder(held)), path: site.folder }
  const folder = sidePlace(dirname(site.folder), worktree.name, lock.token)
  working.onStep('move-aside')
  try {
    await rename(site.folder, folder)
    working.onStep('delete')
    await rm(folder, { recursive: true, force: true })
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === undefined) throw error
    return { type: 'kept', reasons: plainFinding('busy', `it cannot be deleted (${code})`), path: folder }
  }
  // The files are gone: an abort would only leave the rest for a sweep.
  const unhurried = { ...working, signal: undefined }
  const tip = (await tipOf(site, unhurried)) ?? base
  const remains = { repository, admin, branch, tip, path: worktree.path, token: lock.token }
  return { type: 'removed', branch: await unregister(remains, unhurried) }
}

async function tipOf({ branch, repository }: Site, { git, signal }: Working): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`
  const found = await git(['rev-parse', '--verify', '--quiet', ref], { cwd: repository.root, signal })
  return found.ok ? withoutNewline(found.stdout) : undefined
}
