import { CannotTell } from './cannot-tell.ts'
import { examineCommits } from './examine-commits.ts'
import { type Finding, findingOf, plainFinding } from './finding.ts'
import type { MissingWorktree } from './finish-removal.ts'
import { readRecord } from './record.ts'
import { readRefs } from './refs.ts'
import { lockedBase } from './site.ts'
import type { Asking } from './working.ts'

/** Whether what git keeps for a worktree without a folder may go. */
export type MissingExamination =
  | { readonly type: 'judged'; readonly findings: readonly Finding[]; readonly base: string }
  | { readonly type: 'unknown'; readonly why: string }

/** Looks for commits and staged files that only git's folder of a deleted worktree still names. */
export async function examineMissing(missing: MissingWorktree, asking: Asking): Promise<MissingExamination> {
  const { worktree, admin, repository } = missing
  const record = await readRecord(admin)
  const base = record?.base ?? worktree.base ?? (await lockedBase(admin))
  if (base === undefined)
    return { type: 'unknown', why: `nobody remembers what ${worktree.path} was made from` }
  // Git takes its own folder for a repository without files.
  const site = { worktree, repository, admin, record, base, branch: worktree.branch, folder: admin }
  try {
    // Where the branch is gone already, a removal had come that far.
    const head = await asking.git(['rev-parse', '--verify', '--quiet', 'HEAD'], {
      cwd: admin,
      signal: asking.signal,
    })
    if (!head.ok && head.exitCode === 1) return { type: 'judged', findings: [], base }
    const commits = await examineCommits(site, await readRefs(site, asking), asking)
    return { type: 'judged', findings: [...commits, ...(await examineIndex(missing, base, asking))], base }
  } catch (error) {
    if (error instanceof CannotTell) return { type: 'unknown', why: error.message }
    throw error
  }
}

async function examineIndex(
  { admin }: MissingWorktree,
  base: string,
  { git, signal }: Asking,
): Promise<readonly Finding[]> {
  const args = ['diff-index', '--cached', '--name-only', '-z', base]
  const staged = await git(args, { cwd: admin, signal })
  if (!staged.ok) return plainFinding('staged', `its index cannot be read: ${staged.message}`)
  return findingOf('staged', staged.stdout.split('\0').filter(Boolean), 'staged changes')
}
