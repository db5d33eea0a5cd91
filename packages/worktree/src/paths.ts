import { lstat, readlink, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path'

/** Is the path the folder itself or below it? Both absolute and real. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The real path of what may not exist yet: links are followed as far as there is something. */
export async function realPathOf(path: string): Promise<string> {
  const absolute = resolve(path)
  let rest = ''
  for (let folder = absolute; ; folder = dirname(folder)) {
    try {
      return join(await realpath(folder), rest)
    } catch {
      // A link that leads nowhere yet would be followed by whoever writes to it.
      const target = await danglingTarget(folder)
      if (target !== undefined) return join(await realPathOf(target), rest)
    }
    if (folder === parse(folder).root) return absolute
    rest = join(relative(dirname(folder), folder), rest)
  }
}

async function danglingTarget(path: string): Promise<string | undefined> {
  const target = await readlink(path).catch(() => undefined)
  return target === undefined ? undefined : resolve(dirname(path), target)
}

/** What stands at a path, without following a link. */
export type Standing = 'nothing' | 'folder' | 'link' | 'other'

/** Looks at a path without following a link. What cannot be looked at is `other`. */
export async function standingAt(path: string): Promise<Standing> {
  try {
    const facts = await lstat(path)
    if (facts.isSymbolicLink()) return 'link'
    return facts.isDirectory() ? 'folder' : 'other'
  } catch (error) {
    return systemCodeOf(error) === 'ENOENT' ? 'nothing' : 'other'
  }
}

/** The first symbolic link on the way from a folder down to a path below it; the path itself counts. */
export async function linkOnTheWay(folder: string, path: string): Promise<string | undefined> {
  let at = folder
  for (const part of relative(folder, path).split(sep)) {
    at = join(at, part)
    if ((await standingAt(at)) === 'link') return at
  }
  return undefined
}

/** The `code` of an error of the file system, such as `ENOENT`. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
