import { lstatSync, readlinkSync } from 'node:fs'
import { normalize } from 'node:path'
import { followLinks, type ReadLink, withoutSlash } from './follow-links.ts'

/** What a path as written stands for. */
export interface PathForms {
  /** Absolute, without `.` and `..`, links not followed. */
  readonly plain: string
  /** All absolute paths that the written one passes through or ends at: links followed, `..` behind a link both ways. */
  readonly all: readonly string[]
  /** Whether it is known where the links lead; not when they go in circles or cannot be read. */
  readonly isResolved: boolean
  /** The segments of each of `all`. */
  readonly segments: readonly (readonly string[])[]
}

/** Looks at the file system. Throws what the file system throws, but for a missing file. */
export function readLinkOf(path: string): string | true | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  return stats.isSymbolicLink() ? readlinkSync(path) : true
}

/** Finds all that an absolute path, as written, may stand for. The file need not exist. */
export function resolvePath(path: string, readLink: ReadLink): PathForms {
  const plain = withoutSlash(normalize(path))
  try {
    // Behind a link `..` means the parent of its target to the system, and the parent of the link to most tools.
    const climbs = /(^|\/)\.\.(\/|$)/.test(path) ? followLinks(path, readLink) : []
    return toForms(plain, [plain, ...followLinks(plain, readLink), ...climbs], true)
  } catch {
    return toForms(plain, [plain], false)
  }
}

function toForms(plain: string, paths: readonly string[], isResolved: boolean): PathForms {
  const all = [...new Set(paths)]
  return { plain, all, isResolved, segments: all.map(segmentsOf) }
}

/** The names of an absolute path. */
function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '')
}
