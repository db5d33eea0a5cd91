import { lstat, mkdtemp, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask } from './cannot-tell.ts'
import { digestOf } from './digest.ts'
import { CHECK_OUT_MS, type Git } from './git.ts'
import type { Index } from './index-entries.ts'
import type { Seen } from './walk.ts'

/** What `findHidden` needs. */
export interface HiddenQuestion {
  /** The top folder. */
  readonly top: string
  /** What git tracks. */
  readonly index: Index
  /** The tracked files that are there. */
  readonly tracked: readonly Seen[]
  /** Change time at which all was complete, in nanoseconds; absent: every file is compared. */
  readonly mark: string | undefined
  /** Files that git calls changed anyway. */
  readonly reported: ReadonlySet<string>
  /** Runs git. */
  readonly git: Git
  /** Ends it. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Finds tracked files whose bytes are not those that git would check out, whatever git's status says: it does not look at
 * flagged files, and not behind filters and line endings. Only files touched since the creation are written anew and compared.
 */
export async function findHidden(question: HiddenQuestion): Promise<readonly string[]> {
  const { top, index, tracked, reported, git, signal } = question
  const mark = BigInt(question.mark ?? 0)
  const touched = tracked
    .filter(({ path, changed }) => {
      const entry = index.entries.get(path)
      return (
        (changed >= mark || entry?.isFlagged === true) && entry?.isUnmerged === false && !reported.has(path)
      )
    })
    .map(({ path }) => path)
  if (touched.length === 0) return []
  const scratch = await mkdtemp(join(tmpdir(), 'x-worktree-'))
  try {
    const args = ['checkout-index', '-z', '--stdin', '--ignore-skip-worktree-bits', `--prefix=${scratch}/`]
    await ask(git, args, {
      cwd: top,
      signal,
      timeoutMs: CHECK_OUT_MS,
      stdin: touched.map((path) => `${path}\0`).join(''),
    })
    const different: string[] = []
    for (const path of touched) {
      signal?.throwIfAborted()
      if (!(await isSame(join(top, path), join(scratch, path)))) different.push(path)
    }
    return different
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([lstat(one), lstat(other).catch(() => undefined)])
  if (second === undefined) return false
  if (first.isSymbolicLink() || second.isSymbolicLink()) {
    return (
      first.isSymbolicLink() && second.isSymbolicLink() && (await readlink(one)) === (await readlink(other))
    )
  }
  return first.size === second.size && (await digestOf(one)) === (await digestOf(other))
}
