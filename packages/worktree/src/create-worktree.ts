import { type Base, type BaseRef, findBase } from './base.ts'
import { checkOut } from './check-out.ts'
import { createByHook } from './create-by-hook.ts'
import { equip } from './equip.ts'
import { hideFromStatus, tidyFolder } from './hide-from-status.ts'
import { isBadPath } from './link-folders.ts'
import { pause } from './pause.ts'
import { type Place, takePlace } from './place.ts'
import { findRepository, type Repository } from './repository.ts'
import type { Creation, CreationFailure, WorktreeHooks, WorktreeOptions } from './types.ts'
import { type Working, workingOf } from './working.ts'
import { describeBadName, generateName } from './worktree-name.ts'

/** Options of `createWorktree`. */
export interface CreateWorktreeOptions extends WorktreeOptions {
  /** A folder of the repository. From inside of a worktree the new one belongs to the same main checkout. */
  readonly cwd: string
  /** Wanted name; `-2`, `-3` ... is added where it is taken. @default a generated one */
  readonly name?: string
  /** What to start from: `fresh` the default branch of `origin`, `head` what is checked out. @default 'fresh' */
  readonly baseRef?: BaseRef
  /** Folders of the main checkout that the worktree gets as links (`node_modules`). Paths from the top. */
  readonly symlinkDirectories?: readonly string[]
  /** Only these folders are checked out. Paths from the top. @default all */
  readonly sparsePaths?: readonly string[]
  /** Whether a sweep may remove it; false for one that a person asked for by hand. @default true */
  readonly isSweepable?: boolean
  /** Makes worktrees in place of git. */
  readonly hooks?: WorktreeHooks
  /** Gives the present, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/**
 * Makes a worktree below `.claude/worktrees` of the main checkout, on a branch of its own, or says why that is impossible.
 *
 * Never gives the main checkout back, and leaves its files, index, HEAD and branches alone. No hook of the repository runs.
 * Rejects only with the signal's reason; then, as after a failure, what had been made is removed again.
 */
export async function createWorktree(options: CreateWorktreeOptions): Promise<Creation> {
  const { cwd, hooks, signal } = options
  signal?.throwIfAborted()
  const problem = describeBadInput(options)
  if (problem !== undefined) return problem
  const working = workingOf(options)
  const found = await findRepository(cwd, working)
  if (hooks?.create !== undefined) {
    const root = found.type === 'found' ? found.repository.root : undefined
    const name = options.name ?? generateName()
    return createByHook(name, { create: hooks.create, cwd, root, working })
  }
  return found.type === 'failed' ? found : createFromBase(options, found.repository, working)
}

async function createFromBase(
  options: CreateWorktreeOptions,
  repository: Repository,
  working: Working,
): Promise<Creation> {
  const { cwd, baseRef = 'fresh', now = Date.now, signal } = options
  working.onStep('find-base')
  const base = await findBase({ cwd, repository, baseRef, now: now(), git: working.git, signal })
  return base === undefined ? noCommit(repository) : createByGit(options, { repository, base, working })
}

function describeBadInput({
  name,
  sparsePaths = [],
  symlinkDirectories = [],
}: CreateWorktreeOptions): CreationFailure | undefined {
  const badName = name === undefined ? undefined : describeBadName(name)
  if (badName !== undefined) return { type: 'failed', code: 'invalid-name', message: badName }
  const path = [...sparsePaths, ...symlinkDirectories].find(isBadPath)
  if (path === undefined) return undefined
  const message = `${JSON.stringify(path)} is no folder below the top of the repository: give a relative path without "..".`
  return { type: 'failed', code: 'invalid-path', message }
}

function noCommit({ root }: Repository): CreationFailure {
  const message = `The repository ${root} has no commit yet, so there is nothing to make a worktree of. Commit something first.`
  return { type: 'failed', code: 'no-commit', message }
}

interface CreationContext {
  readonly repository: Repository
  readonly base: Base
  readonly working: Working
}

async function createByGit(options: CreateWorktreeOptions, context: CreationContext): Promise<Creation> {
  let made: Creation | undefined
  try {
    made = await createSomewhere(options, context)
    return made
  } finally {
    if (made?.type !== 'created') await tidyFolder(context.repository)
  }
}

async function createSomewhere(options: CreateWorktreeOptions, context: CreationContext): Promise<Creation> {
  const { repository, base, working } = context
  working.onStep('prepare')
  const wanted = options.name ?? generateName()
  let number = 1
  let disturbed: Creation | undefined
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const place = await takePlace(wanted, { repository, working, from: number })
    if (place.type === 'failed') return place
    const made = await createAt(place, options, context)
    if (made === 'taken') number += 1
    else if (isDisturbed(made)) {
      disturbed = made
      await pause(tries * PAUSE_MS, options.signal)
    } else return made.type === 'created' ? { ...made, notes: [...base.notes, ...made.notes] } : made
  }
  const message = `No worktree could be made in ${MAX_TRIES} tries: others are at it all the time. Try again later.`
  return disturbed ?? { type: 'failed', code: 'git-failed', message }
}

const MAX_TRIES = 20
const PAUSE_MS = 20

/** Git reads what it keeps for other worktrees, and dies of one that is just being made or removed. */
function isDisturbed(made: Creation): boolean {
  return (
    made.type === 'failed' &&
    made.code === 'git-failed' &&
    /[\\/]worktrees[\\/][^\\/\s]+[\\/]/.test(made.message) &&
    !/No space left|quota exceeded|Read-only file system|Permission denied/i.test(made.message)
  )
}

async function createAt(
  place: Place,
  options: CreateWorktreeOptions,
  { repository, base, working }: CreationContext,
): Promise<Creation | 'taken'> {
  const { sparsePaths = [], symlinkDirectories = [], isSweepable = true } = options
  await hideFromStatus(repository, working)
  const plan = { place, repository, commit: base.commit, sparsePaths, working }
  const checkedOut = await checkOut(plan)
  if (checkedOut === 'taken' || checkedOut.type === 'failed') return checkedOut
  return equip(checkedOut, { repository, working, isSweepable, symlinkDirectories })
}
