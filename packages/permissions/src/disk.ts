import type { ReadLink } from './follow-links.ts'
import { type PathForms, resolvePath } from './resolve-path.ts'

/** The file system as one judgement sees it: what was looked at once is remembered to its end. */
export interface Disk {
  /** Looks at one path, for links. May throw. */
  readonly readLink: ReadLink
  /** Finds all that an absolute path may stand for. */
  resolve(path: string): PathForms
}

/** Makes the view of one judgement. The same folders are met with every path of a call. */
export function createDisk(readLink: ReadLink): Disk {
  const links = new Map<string, string | boolean>()
  const forms = new Map<string, PathForms>()
  const look: ReadLink = (path) => remember(links, path, (key) => readLink(key) ?? false) || undefined
  return { readLink: look, resolve: (path) => remember(forms, path, (key) => resolvePath(key, look)) }
}

function remember<Value>(seen: Map<string, Value>, key: string, find: (key: string) => Value): Value {
  const known = seen.get(key)
  if (known !== undefined) return known
  const found = find(key)
  seen.set(key, found)
  return found
}
