import { examineMissing } from './examine-missing.ts'
import { plainFinding } from './finding.ts'
import { describeHolder, makeLock, takeLock } from './lock.ts'
import type { Removal } from './removal.ts'
import { removeSite } from './remove-site.ts'
import type { Repository } from './repository.ts'
import { findAside, openSite } from './site.ts'
import type { Worktree } from './types.ts'
import { unregister } from './unregister.ts'
import type { Working } from './working.ts'

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
