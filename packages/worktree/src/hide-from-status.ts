import { lstat, readdir, readFile, rmdir, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linkOnTheWay } from './paths.ts'
import type { Repository } from './repository.ts'
import type { Working } from './working.ts'
import { WORKTREES } from './worktree-name.ts'

const IGNORE_FILE = '.gitignore'
const IGNORE_ALL = '*\n'

/**
 * Keeps the worktrees out of the status of the main checkout: their folder ignores itself, so that no file of the project and no setting
 * of git changes. A project that ignores the folder already, or has a file there, is left alone. Failing to write is no failure.
 */
export async function hideFromStatus({ root }: Repository, { git, signal }: Working): Promise<void> {
  const probe = [...WORKTREES, 'x'].join('/')
  const ignored = await git(['check-ignore', '--quiet', '--no-index', probe], { cwd: root, signal })
  if (!ignored.ok) await writeIgnoreFile(join(root, ...WORKTREES))
}

/** Never over something, never through a link. */
async function writeIgnoreFile(folder: string): Promise<void> {
  // In a folder that cannot be written git itself says so in a moment.
  await writeFile(join(folder, IGNORE_FILE), IGNORE_ALL, { flag: 'wx' }).catch(() => {})
}

/**
 * Takes the folder of the worktrees away when the last of them is gone, if it was made here: if the ignore file in it is ours, byte for
 * byte, and nothing else is there. Whoever makes a worktree at this very moment keeps it.
 */
export async function tidyFolder({ root }: Repository): Promise<void> {
  const folder = join(root, ...WORKTREES)
  if ((await linkOnTheWay(root, folder)) !== undefined) return
  const names = await readdir(folder).catch(() => [])
  if (names.length !== 1 || !(await isOurs(join(folder, IGNORE_FILE)))) return
  await unlink(join(folder, IGNORE_FILE)).catch(() => {})
  await rmdir(folder).catch(() => writeIgnoreFile(folder))
}

async function isOurs(file: string): Promise<boolean> {
  const facts = await lstat(file).catch(() => undefined)
  return facts?.isFile() === true && (await readFile(file, 'utf8').catch(() => '')) === IGNORE_ALL
}
