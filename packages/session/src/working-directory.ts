import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'

/** As many links as Linux follows. */
const maxLinks = 40

/** Is a path, links resolved, one of the folders or below one? `path` need not exist. What cannot be resolved is outside. */
export async function isInside(path: string, folders: readonly string[]): Promise<boolean> {
  if (!isAbsolute(path)) return false
  try {
    const real = await resolveLinks(path)
    const homes = await Promise.all(folders.map((folder) => resolveLinks(folder)))
    return homes.some((home) => isBelow(relative(home, real)))
  } catch {
    return false
  }
}

function isBelow(way: string): boolean {
  return !isAbsolute(way) && way !== '..' && !way.startsWith('../') && !way.startsWith('..\\')
}

/** The path without links, also where a link points at something that does not exist yet; the rest is taken literally. */
async function resolveLinks(path: string, linksLeft = maxLinks): Promise<string> {
  const existing = await realpath(path).catch(() => undefined)
  if (existing !== undefined) return existing
  if (linksLeft === 0) throw new RangeError(`too many links at ${path}`)
  const target = await readlink(path).catch(() => undefined)
  if (target !== undefined) return resolveLinks(resolve(dirname(path), target), linksLeft - 1)
  const parent = dirname(path)
  return parent === path ? path : join(await resolveLinks(parent, linksLeft), basename(path))
}
