import { realpath } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { withoutNewline } from './git-output.ts'
import { isInside, linkOnTheWay, standingAt } from './paths.ts'
import { readRecord } from './record.ts'
import { findAdmin, registeredPath } from './registration.ts'
import { findRepository } from './repository.ts'
import { lockedBase } from './site.ts'
import type { Worktree, WorktreeOptions } from './types.ts'
import { type Working, workingOf } from './working.ts'
import { WORKTREES } from './worktree-name.ts'

/** Options of `openWorktree`. */
export interface OpenWorktreeOptions extends WorktreeOptions {
  /** A folder of the repository. A relative path is meant from here. */
  readonly cwd: string
}

/** A worktree that is there already, or why it cannot be used. */
export type Opening =
  | {
      /** It can. */
      readonly type: 'opened'
      /** The worktree. */
      readonly worktree: Worktree
      /** It lies below `.claude/worktrees` of the main checkout. */
      readonly isOurs: boolean
    }
  | {
      /** It cannot. */
      readonly type: 'refused'
      /** Why, for people. */
      readonly why: string
    }

/**
 * Looks up a worktree by its path, to go into it or back into it. It must be a real folder that the repository of `cwd` knows as
 * one of its worktrees; the main checkout, a folder of it, or one behind a link is refused. Changes nothing.
 */
export async function openWorktree(path: string, options: OpenWorktreeOptions): Promise<Opening> {
  options.signal?.throwIfAborted()
  const working = workingOf(options)
  const found = await findRepository(options.cwd, working)
  if (found.type === 'failed') return refused(found.message)
  const { root, commonDir } = found.repository
  const asked = resolve(options.cwd, path)
  const problem = await describeBadPlace(asked, root)
  if (problem !== undefined) return refused(problem)
  const folder = await realpath(asked)
  const admin = await findAdmin(folder, commonDir)
  if (admin === undefined || (await registeredPath(admin)) !== folder) {
    return refused(`Refusing to use ${path} as a worktree: ${root} knows no worktree there.`)
  }
  const worktree = await describe({ folder, admin, root }, working)
  return { type: 'opened', worktree, isOurs: isInside(folder, join(root, ...WORKTREES)) }
}

async function describeBadPlace(path: string, root: string): Promise<string | undefined> {
  const link = isInside(path, root) ? await linkOnTheWay(root, path) : undefined
  if (link !== undefined) return `Refusing to use ${path}: ${link} is a symbolic link.`
  return (await standingAt(path)) === 'folder' ? undefined : `${path} is not a folder.`
}

async function describe(
  { folder, admin, root }: { readonly folder: string; readonly admin: string; readonly root: string },
  { git, signal }: Working,
): Promise<Worktree> {
  const record = await readRecord(admin)
  if (record !== undefined) {
    const { name, branch, base } = record
    return { name, path: folder, root, branch, base, isHookMade: false }
  }
  const base = await lockedBase(admin)
  const head = await git(['symbolic-ref', '--quiet', '--short', 'HEAD'], { cwd: folder, signal })
  return {
    name: basename(folder),
    path: folder,
    root,
    ...(head.ok ? { branch: withoutNewline(head.stdout) } : {}),
    ...(base === undefined ? {} : { base }),
    isHookMade: false,
  }
}

function refused(why: string): Opening {
  return { type: 'refused', why }
}
