import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ask, CannotTell } from './cannot-tell.ts'
import { type Finding, findingOf, plainFinding } from './finding.ts'
import type { Refs } from './refs.ts'
import type { Site } from './site.ts'
import type { Asking } from './working.ts'

const MAX_HEADS = 2000

/** Finds commits that only this worktree or its branch holds, and a HEAD that is not where it began. */
export async function examineCommits(site: Site, refs: Refs, asking: Asking): Promise<readonly Finding[]> {
  const { head, tip, onBranch } = refs
  const heads = [head, ...(tip === undefined ? [] : [tip])]
  const moved = [...new Set(heads)].filter((commit) => commit !== site.base)
  const [ahead, unpushed, dropped] = await Promise.all([
    listCommits(site, moved, { not: [site.base], asking }),
    listCommits(site, moved, { not: ['--remotes'], asking }),
    findDropped(site, { heads, asking, hasBranch: tip !== undefined }),
  ])
  return [
    ...findingOf('commits', ahead.length > 0 ? ahead : moved, 'commits beyond where it began, or HEAD moved'),
    ...findingOf('unpushed', beyond(unpushed, ahead), 'commits that no remote has'),
    ...findingOf('dropped-commits', dropped, 'commits that no other branch or tag holds'),
    ...(moved.length > 0 && onBranch === undefined ? plainFinding('detached', 'HEAD is detached') : []),
    ...(onBranch !== undefined && onBranch !== site.branch
      ? plainFinding('other-branch', `it is on the branch ${onBranch}`)
      : []),
  ]
}

/** What no remote has may begin long before the worktree; its own commits are what counts, where there are some. */
function beyond(unpushed: readonly string[], ahead: readonly string[]): readonly string[] {
  const own = unpushed.filter((commit) => ahead.includes(commit))
  return own.length > 0 ? own : unpushed
}

/** Commits of its reflogs and of HEAD's relatives that nothing outside keeps: those of a reset, an amend, a fetch. */
async function findDropped(
  site: Site,
  given: { readonly heads: readonly string[]; readonly asking: Asking; readonly hasBranch: boolean },
): Promise<readonly string[]> {
  const { asking, hasBranch } = given
  const refs = ['HEAD', ...(hasBranch ? [`refs/heads/${site.branch}`] : [])]
  const all = new Set([
    ...given.heads,
    ...(await readReflogs(refs, site, asking)),
    ...(await readPseudoRefs(site.admin)),
  ])
  if (all.size > MAX_HEADS) throw new CannotTell(`its reflog has more than ${MAX_HEADS} entries`)
  const own = site.branch === undefined ? [] : [`--exclude=refs/heads/${site.branch}`]
  return listCommits(site, [...all], { not: [...own, '--all'], asking })
}

async function readReflogs(refs: readonly string[], site: Site, asking: Asking): Promise<readonly string[]> {
  const said = await ask(
    asking.git,
    ['log', '--walk-reflogs', '--format=%H', ...refs, '--'],
    at(site, asking),
  )
  return said.split('\n').filter(Boolean)
}

const pseudoRefs = ['ORIG_HEAD', 'FETCH_HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD']

async function readPseudoRefs(admin: string): Promise<readonly string[]> {
  const texts = await Promise.all(
    pseudoRefs.map((name) => readFile(join(admin, name), 'utf8').catch(() => '')),
  )
  return texts
    .flatMap((text) => text.split('\n').map((line) => /^[0-9a-f]{40,64}/.exec(line)?.[0] ?? ''))
    .filter(Boolean)
}

/** Asked from the main checkout and for it alone, so that this worktree's own HEAD does not count as a keeper. */
async function listCommits(
  site: Site,
  heads: readonly string[],
  { not, asking }: { readonly not: readonly string[]; readonly asking: Asking },
): Promise<readonly string[]> {
  if (heads.length === 0) return []
  const args = [
    'rev-list',
    '--max-count=100',
    '--single-worktree',
    '--ignore-missing',
    ...heads,
    '--not',
    ...not,
  ]
  const said = await ask(asking.git, args, { cwd: site.repository.root, signal: asking.signal })
  return said.split('\n').filter(Boolean)
}

function at(site: Site, { signal }: Asking): { cwd: string; signal: AbortSignal | undefined } {
  return { cwd: site.folder, signal }
}
