import { mkdir, realpath, symlink } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { isInside, standingAt } from './paths.ts'
import type { FolderLink } from './record.ts'

/** Is this no path to a folder below the top? */
export function isBadPath(path: string): boolean {
  const parts = path.replace(/\/+$/, '').split(/[\\/]/)
  return (
    isAbsolute(path) ||
    path.startsWith('-') ||
    parts.some((part) => ['', '.', '..'].includes(part)) ||
    parts[0]?.toLowerCase() === '.git'
  )
}

/** Finds which of the wanted folders the main checkout has; the others are left out with a note. */
export async function planLinks(
  root: string,
  folders: readonly string[],
): Promise<{ readonly links: readonly FolderLink[]; readonly notes: readonly string[] }> {
  const links: FolderLink[] = []
  const notes: string[] = []
  for (const folder of folders) {
    const path = folder.replace(/\/+$/, '')
    const target = join(root, path)
    if ((await standingAt(target)) === 'folder') links.push({ path, target })
    else notes.push(`${path} was not linked: the main checkout has no such folder.`)
  }
  return { links, notes }
}

/** Makes one link; never over something, never through a link out of the worktree. */
export async function linkInto(worktree: string, { path, target }: FolderLink): Promise<string | undefined> {
  const place = join(worktree, path)
  try {
    await mkdir(dirname(place), { recursive: true })
    if (!isInside(await realpath(dirname(place)), worktree))
      return `${path} was not linked: a link leads out of the worktree.`
    await symlink(target, place, 'junction')
    return undefined
  } catch (error) {
    return `${path} was not linked: ${error instanceof Error ? error.message : String(error)}`
  }
}
