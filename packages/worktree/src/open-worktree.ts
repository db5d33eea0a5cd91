import { realpath } from 'node:fs/promises'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { isInside, linkOnTheWay, standingAt } from './paths.ts'
import { readRecord } from './record.ts'
import { findAdmin, registeredPath } from './registration.ts'
import { workingOf } from './remove-worktree.ts'
import { findRepository, withoutNewline } from './repository.ts'
import { lockedBase } from './site.ts'
import type { Worktree, WorktreeOptions } from './types.ts'
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
  const asked = isAbsolute(path) ? resolve(path) : resolve(options.cwd, path)
  if (isInside(asked, root)) {
    const link = await linkOnTheWay(root, asked)
    if (link !== undefined) return refused(`Refusing to use ${path}: ${link} is a symbolic link.`)
  }
  if ((await standingAt(asked)) !== 'folder') return refused(`${path} is not a folder.`)
  const folder = await realpath(asked)
  const admin = await findAdmin(folder, commonDir)
  if (admin === undefined || (await registeredPath(admin)) !== folder) {
    return refused(`Refusing to use ${path} as a worktree: ${root} knows no worktree there.`)
  }
  const record = await readRecord(admin)
  const base = record?.base ?? (await lockedBase(admin))
  const head = await working.git(['symbolic-ref', '--quiet', '--short', 'HEAD'], { ...working, cwd: folder })
  const branch = record?.branch ?? (head.ok ? withoutNewline(head.stdout) : undefined)
  const worktree: Worktree = {
    name: record?.name ?? basename(folder),
    path: folder,
    root,
    ...(branch === undefined ? {} : { branch }),
    ...(base === undefined ? {} : { base }),
    isHookMade: false,
  }
  return { type: 'opened', worktree, isOurs: isInside(folder, join(root, ...WORKTREES)) }
}

function refused(why: string): Opening {
  return { type: 'refused', why }
}
