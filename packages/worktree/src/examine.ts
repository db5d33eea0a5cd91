import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allSettled } from './all-settled.ts'
import { CannotTell } from './cannot-tell.ts'
import { findHidden } from './compare.ts'
import { examineCommits } from './examine-commits.ts'
import { examineOperations, examineStash, readAdminState } from './examine-state.ts'
import { examineStatus, type Status } from './examine-status.ts'
import { type Finding, findingOf } from './finding.ts'
import { type Index, readIndex } from './index-entries.ts'
import { systemCodeOf } from './paths.ts'
import { readRefs } from './refs.ts'
import type { Site } from './site.ts'
import { type Walk, walk } from './walk.ts'
import type { Asking } from './working.ts'

/** Why a worktree may go, or not. */
export type Examination =
  | { readonly type: 'empty'; readonly proof: Proof }
  | { readonly type: 'changed'; readonly findings: readonly Finding[]; readonly proof?: Proof }
  | { readonly type: 'unknown'; readonly why: string }

/** All that was seen when a worktree was proven empty. A deletion goes no further than this. */
export interface Proof {
  /** Every file and folder in it. */
  readonly walk: Walk
  /** The text of its `.git` file. */
  readonly link: string
  /** What git kept for it. */
  readonly adminState: string
}

/** Options of `examine`. */
export interface ExamineOptions extends Asking {
  /** It was never finished, or a removal has begun: missing files are no change. */
  readonly isHalfDone: boolean
}

/**
 * Proves that nothing would be lost, or says what. Everything is looked at before git is asked, so that a change after the
 * answer shows in the signatures of the proof.
 */
export async function examine(site: Site, options: ExamineOptions): Promise<Examination> {
  try {
    return await examineOrThrow(site, options)
  } catch (error) {
    options.signal?.throwIfAborted()
    if (error instanceof CannotTell) return { type: 'unknown', why: error.message }
    const code = systemCodeOf(error)
    if (code === undefined) throw error
    return { type: 'unknown', why: `${site.folder} cannot be read (${code})` }
  }
}

async function examineOrThrow(site: Site, options: ExamineOptions): Promise<Examination> {
  const { git, signal } = options
  const adminState = await readAdminState(site.admin)
  const link = await readFile(join(site.folder, '.git'), 'utf8')
  const index = await readIndex(git, { cwd: site.folder, signal })
  const seen = await walk({ top: site.folder, index, record: site.record })
  const [[status, hidden], others, foreign] = await allSettled([
    examineTracked(site, { index, seen }, options),
    examineOthers(site, options),
    describeForeign(seen.foreign, site, options),
  ])
  const findings = [
    ...status.findings,
    ...findingOf('hidden', hidden, 'changes that git does not report'),
    ...foreign,
    ...findingOf('nested-repository', seen.repositories, 'repositories of their own'),
    ...findingOf('submodule', seen.submodules, 'filled submodules'),
    ...others,
  ]
  const proof = { walk: seen, link, adminState }
  return findings.length > 0 ? { type: 'changed', findings, proof } : { type: 'empty', proof }
}

/** What there is beside files. */
async function examineOthers(site: Site, options: ExamineOptions): Promise<readonly Finding[]> {
  const refs = await readRefs(site, options)
  const found = await allSettled([
    examineCommits(site, refs, options),
    examineOperations(site, refs),
    examineStash(site, refs, options),
  ])
  return found.flat()
}

/** What git says of the tracked files, and what it does not say. */
async function examineTracked(
  site: Site,
  { index, seen }: { readonly index: Index; readonly seen: Walk },
  options: ExamineOptions,
): Promise<readonly [Status, readonly string[]]> {
  const { git, signal } = options
  const status = await examineStatus(site, options, options)
  const { tracked } = seen
  const reported = status.changed
  const mark = site.record?.mark
  return [status, await findHidden({ top: site.folder, index, tracked, mark, reported, git, signal })]
}

/** Says which of the foreign files git ignores, for the reader; to the decision it makes no difference. */
async function describeForeign(
  foreign: readonly string[],
  site: Site,
  { git, signal }: Asking,
): Promise<readonly Finding[]> {
  if (foreign.length === 0) return []
  const stdin = foreign.map((path) => `${path}\0`).join('')
  const asked = await git(['check-ignore', '-z', '--stdin'], { cwd: site.folder, signal, stdin })
  const ignored = new Set(asked.ok ? asked.stdout.split('\0') : [])
  return [
    ...findingOf(
      'untracked',
      foreign.filter((path) => !ignored.has(path)),
      'untracked files',
    ),
    ...findingOf(
      'ignored',
      foreign.filter((path) => ignored.has(path)),
      'ignored files that were not copied into it',
    ),
  ]
}
