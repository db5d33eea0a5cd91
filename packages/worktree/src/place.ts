import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { linkOnTheWay, systemCodeOf } from './paths.ts'
import { readRegistrations } from './registration.ts'
import type { Repository } from './repository.ts'
import type { CreationFailure } from './types.ts'
import type { Working } from './working.ts'
import { branchOf, WORKTREES } from './worktree-name.ts'

/** A folder that was just made for one worktree, and by that is taken. */
export interface Place {
  /** Tells it from a failure. */
  readonly type: 'place'
  /** The name that was free. */
  readonly name: string
  /** The empty folder. */
  readonly path: string
}

/** Makes the folder that holds the worktrees, unless a link would lead it elsewhere. */
async function preparePlace({ root }: Repository): Promise<CreationFailure | undefined> {
  const worktrees = join(root, ...WORKTREES)
  const link = await linkOnTheWay(root, worktrees)
  if (link !== undefined) return unsafe(link)
  try {
    await mkdir(worktrees, { recursive: true })
    return undefined
  } catch (error) {
    return describeFolderProblem(worktrees, error)
  }
}

function unsafe(link: string): CreationFailure {
  const message = `Refusing to make a worktree: ${link} is a symbolic link, so the worktree could lie anywhere. Replace it by a folder.`
  return { type: 'failed', code: 'unsafe-path', message }
}

/** Says why a folder could not be made. */
export function describeFolderProblem(path: string, error: unknown): CreationFailure {
  const code = systemCodeOf(error)
  if (code === undefined) throw error
  if (code === 'ENAMETOOLONG') {
    return {
      type: 'failed',
      code: 'path-too-long',
      message: `${path} is too long. Give the worktree a shorter name.`,
    }
  }
  const message = `${path} cannot be made (${code}). A worktree needs a folder that can be written.`
  return { type: 'failed', code: 'folder-unusable', message }
}

const MAX_NUMBER = 999

/**
 * Takes the first free one of `name`, `name-2`, `name-3` ...: no folder, no registration, no branch, and none by letter case
 * alone. Making the folder is what takes it: of several at once, only one can.
 */
export async function takePlace(
  wanted: string,
  {
    repository,
    working,
    from,
  }: { readonly repository: Repository; readonly working: Working; readonly from: number },
): Promise<Place | CreationFailure> {
  const problem = await preparePlace(repository)
  if (problem !== undefined) return problem
  working.onStep('take-place')
  const taken = await takenNames(wanted, repository, working)
  for (let number = from; number <= MAX_NUMBER; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (taken.has(name.toLowerCase())) continue
    const path = join(repository.root, ...WORKTREES, name)
    try {
      await makeFolder(path, repository)
      return { type: 'place', name, path }
    } catch (error) {
      if (systemCodeOf(error) !== 'EEXIST') return describeFolderProblem(path, error)
      const link = await linkOnTheWay(repository.root, path)
      if (link !== undefined && number === 1) return unsafe(link)
    }
  }
  return {
    type: 'failed',
    code: 'names-taken',
    message: `Every name like ${wanted} is taken. Give another one.`,
  }
}

const MAX_TRIES = 20

/** Whoever removes the last worktree takes the folder of all away, maybe just now. */
async function makeFolder(path: string, repository: Repository): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await mkdir(path)
      return
    } catch (error) {
      if (systemCodeOf(error) !== 'ENOENT' || tries === MAX_TRIES) throw error
      await preparePlace(repository)
    }
  }
}

async function takenNames(
  wanted: string,
  { root, commonDir }: Repository,
  { git, signal }: Working,
): Promise<ReadonlySet<string>> {
  const branch = `refs/heads/${branchOf(wanted)}`
  const args = ['for-each-ref', '--ignore-case', '--format=%(refname)', `${branch}*`, `${branch}*/**`]
  const listed = await git(args, { cwd: root, signal })
  const branches = (listed.ok ? listed.stdout.split('\n') : [])
    .map((ref) => ref.replace(/^refs\/heads\/worktree-/i, '').split('/')[0] ?? '')
    .filter(Boolean)
  const folders = (await readRegistrations(commonDir)).flatMap(
    ({ path }) => path?.split(/[\\/]/).at(-1) ?? [],
  )
  return new Set([...branches, ...folders].map((name) => name.toLowerCase()))
}
