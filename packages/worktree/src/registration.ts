import { lstat, readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { realPathOf } from './paths.ts'

/** What git knows of one worktree: read from its files, so that one that was never finished is seen too. */
export interface Registration {
  /** Git's folder for it: `worktrees/<id>` below what all worktrees share. */
  readonly admin: string
  /** Real path of its folder, as registered; undefined when git was stopped before it wrote that. */
  readonly path: string | undefined
}

/** Reads all registrations of a repository; the main checkout has none. */
export async function readRegistrations(commonDir: string): Promise<readonly Registration[]> {
  const folder = join(commonDir, 'worktrees')
  const names = await readdir(folder).catch(() => [])
  return Promise.all(
    names
      .toSorted((one, other) => one.localeCompare(other))
      .map(async (name) => {
        const admin = join(folder, name)
        return { admin, path: await registeredPath(admin) }
      }),
  )
}

/** Follows the `.git` file of a folder to git's folder for it; undefined unless that belongs to this repository. */
export async function findAdmin(folder: string, commonDir: string): Promise<string | undefined> {
  const link = join(folder, '.git')
  const facts = await lstat(link).catch(() => undefined)
  if (facts?.isFile() !== true) return undefined
  const [, named] = /^gitdir: (.+?)\r?\n?$/.exec(await textOf(link)) ?? []
  if (named === undefined) return undefined
  const admin = await realPathOf(resolve(folder, named))
  return dirname(admin) === join(commonDir, 'worktrees') ? admin : undefined
}

/** The folder that git's folder for a worktree names. */
export async function registeredPath(admin: string): Promise<string | undefined> {
  const link = (await textOf(join(admin, 'gitdir'))).trim()
  return link === '' ? undefined : realPathOf(dirname(resolve(admin, link)))
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}
