import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { digestOf } from './digest.ts'
import { splitNul } from './git-output.ts'
import { isInside, standingAt } from './paths.ts'
import type { CopiedFile } from './record.ts'
import type { Working } from './working.ts'
import { WORKTREES } from './worktree-name.ts'

const LIST = '.worktreeinclude'

/** Finds the files of the main checkout that `.worktreeinclude` names and git ignores: tracked and plain new ones are not copied. */
export async function findIncluded(root: string, { git, signal }: Working): Promise<readonly string[]> {
  if ((await standingAt(join(root, LIST))) !== 'other') return []
  const call = { cwd: root, signal }
  const named = await git(['ls-files', '--others', '--ignored', `--exclude-from=${LIST}`, '-z'], call)
  if (!named.ok || named.stdout === '') return []
  const ignored = await git(['check-ignore', '-z', '--stdin'], { ...call, stdin: named.stdout })
  const own = `${WORKTREES.join('/')}/`
  return ignored.ok
    ? splitNul(ignored.stdout).filter((path) => !path.endsWith('/') && !path.startsWith(own))
    : []
}

/** Files to copy, with what they hold, and what cannot be copied. */
export interface CopyPlan {
  /** Plain files. */
  readonly files: readonly CopiedFile[]
  /** What was left out, and why. */
  readonly notes: readonly string[]
}

/** Looks at the files before they are copied, so that what is written down holds even if the copying is stopped. */
export async function planCopies(root: string, paths: readonly string[]): Promise<CopyPlan> {
  const files: CopiedFile[] = []
  const notes: string[] = []
  for (const path of paths) {
    const facts = await lstat(join(root, path)).catch(() => undefined)
    if (facts?.isFile() !== true) {
      notes.push(`${path} was not copied: it is no plain file.`)
      continue
    }
    try {
      files.push({ path, sha256: await digestOf(join(root, path)) })
    } catch {
      notes.push(`${path} was not copied: it cannot be read.`)
    }
  }
  return { files, notes }
}

/** Copies one file to the same place in the worktree; never over something, never through a link out of it. */
export async function copyInto(worktree: string, path: string, root: string): Promise<string | undefined> {
  const target = join(worktree, path)
  try {
    await mkdir(dirname(target), { recursive: true })
    if (!isInside(await realpath(dirname(target)), worktree))
      return `${path} was not copied: a link leads out of the worktree.`
    await copyFile(join(root, path), target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    return undefined
  } catch (error) {
    return `${path} was not copied: ${error instanceof Error ? error.message : String(error)}`
  }
}
