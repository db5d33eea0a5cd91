import { dirname, relative, sep } from 'node:path'
import { findRealPath } from './read-text.ts'

/** Is a path the folder, or below it? */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** The real path, or the path itself where there is nothing. */
export async function realPathOf(path: string): Promise<string> {
  const found = await findRealPath(path)
  return found.kind === 'found' ? found.realPath : path
}

/** The path below a folder with `/` between its names; nothing for a path that is not below it. */
export function pathBelow(path: string, folder: string): string | undefined {
  return path !== folder && isInside(path, folder) ? toSlashes(relative(folder, path)) : undefined
}

/** A path with `/` between its names, as patterns have them. */
export function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

/** A pattern that begins in the home folder, written out. */
export function expandHome(pattern: string, home: string): string {
  return pattern.startsWith('~/') ? `${escapeGlob(toSlashes(home))}${pattern.slice(1)}` : pattern
}

function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[\]{},\\!]/g, '\\$&')
}

/** All folders from the root of the file system down to this one. */
export function foldersDownTo(cwd: string): readonly string[] {
  const folders = [cwd]
  for (let folder = cwd; dirname(folder) !== folder; ) {
    folder = dirname(folder)
    folders.unshift(folder)
  }
  return folders
}
