import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ask } from './cannot-tell.ts'
import { type Finding, findingOf, plainFinding } from './finding.ts'
import { splitNul } from './git-output.ts'
import type { Refs } from './refs.ts'
import type { Site } from './site.ts'
import { signatureOf } from './walk.ts'
import type { Asking } from './working.ts'

/** Finds stash entries that were made in the worktree. They survive it, but nobody would look for them. */
export async function examineStash(
  site: Site,
  { hasStash }: Refs,
  { git, signal }: Asking,
): Promise<readonly Finding[]> {
  if (!hasStash) return []
  const args = ['stash', 'list', '-z', '--format=%ct %gd %gs']
  const entries = splitNul(await ask(git, args, { cwd: site.repository.root, signal }))
  const since = Number(BigInt(site.record?.mark ?? 0) / 1_000_000_000n)
  const own = entries.filter((entry) => {
    const [, time, branch] = /^(\d+) \S+ (?:WIP on|On) (\(no branch\)|[^:]+):/.exec(entry) ?? []
    return branch === site.branch || (branch === '(no branch)' && Number(time) >= since)
  })
  return findingOf(
    'stash',
    own.map((entry) => entry.replace(/^\d+ /, '')),
    'stash entries made in it',
  )
}

const operations = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'MERGE_AUTOSTASH',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
  'BISECT_LOG',
  'BISECT_START',
  'index.lock',
  'HEAD.lock',
  'NOTES_MERGE_PARTIAL',
  'NOTES_MERGE_WORKTREE',
]

/** Finds a merge, rebase and the like in progress, and what git keeps for this worktree alone. */
export async function examineOperations(site: Site, { own }: Refs): Promise<readonly Finding[]> {
  const names = await readdir(site.admin)
  return [
    ...findingOf(
      'operation',
      operations.filter((name) => names.includes(name)),
      'an operation is in progress',
    ),
    ...findingOf('private-refs', own, 'refs of this worktree alone'),
    ...(names.includes('modules') ? plainFinding('submodule', 'git keeps submodules for it') : []),
  ]
}

/**
 * Sums up what git keeps for the worktree alone (HEAD, index, reflog): the same text later means that nothing was committed,
 * staged or fetched in between.
 */
export async function readAdminState(admin: string): Promise<string> {
  const names = await readdir(admin, { recursive: true })
  const lines = await Promise.all(
    names.filter(countsAsState).map(async (name) => {
      const facts = await lstat(join(admin, name), { bigint: true })
      return facts.isDirectory() ? '' : `${name}=${signatureOf(facts)}`
    }),
  )
  return lines.filter(Boolean).sort().join('\n')
}

/** Not the lock, and not what git renews by itself: the way to the folder, and the time of an index that it shares with older ones. */
function countsAsState(name: string): boolean {
  return !/^(?:locked|gitdir$|x-worktree\.json|sharedindex\.)/.test(name)
}
