import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { readBounded } from './read-bounded.ts'

/** The repository that a folder lies in. */
export interface GitRepository {
  /** The top folder of its main checkout, also for a folder in one of its other worktrees. */
  readonly root: string
  /** The folder with what the main checkout knows (`.git` as a rule). */
  readonly gitFolder: string
}

/**
 * Finds the repository of a folder by looking at the file system; starts no program. Paths are real ones.
 *
 * A `.git` file counts as a worktree of another folder's repository only if that repository knows the worktree: otherwise a
 * downloaded folder could pass for part of a repository that the user trusts.
 */
export async function findRepository(cwd: string): Promise<GitRepository | undefined> {
  const start = await realPathOf(cwd)
  for (let folder = start; ; folder = dirname(folder)) {
    const entry = join(folder, '.git')
    const facts = await stat(entry).catch(() => undefined)
    if (facts?.isDirectory() === true && (await isFile(join(entry, 'HEAD')))) {
      return { root: folder, gitFolder: entry }
    }
    if (facts?.isFile() === true) return repositoryOfLink(folder, entry)
    if (dirname(folder) === folder) return undefined
  }
}

/** The real path of a file or folder, or the path itself if there is none. */
export async function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}

/** A `.git` file names the folder with the real one: of a worktree, or of a submodule, which is a root itself. */
async function repositoryOfLink(folder: string, link: string): Promise<GitRepository> {
  const named = /^gitdir: (.+)$/m.exec(await textOf(link))?.[1]?.trim()
  if (named === undefined) return { root: folder, gitFolder: link }
  const own = await realPathOf(resolve(folder, named))
  const common = (await textOf(join(own, 'commondir'))).trim()
  const alone = { root: folder, gitFolder: own }
  if (common === '') return alone
  const gitFolder = await realPathOf(resolve(own, common))
  const back = (await textOf(join(own, 'gitdir'))).trim()
  const isKnown = back !== '' && (await realPathOf(resolve(own, back))) === link
  const isMain = basename(gitFolder) === '.git' && (await isFile(join(gitFolder, 'HEAD')))
  return isKnown && isMain && dirname(own) === join(gitFolder, 'worktrees')
    ? { root: dirname(gitFolder), gitFolder }
    : alone
}

async function textOf(file: string): Promise<string> {
  const found = await readBounded(file)
  return found.kind === 'text' ? found.text : ''
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}
