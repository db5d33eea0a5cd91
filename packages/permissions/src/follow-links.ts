import { normalize } from 'node:path'

/** As many links as Linux follows. */
const maxLinks = 40

/** Looks at one path: the target if it is a link, `true` if it is something else, `undefined` if nothing is there. */
export type ReadLink = (path: string) => string | true | undefined

/**
 * Walks an absolute path as the system does and lists the path behind each link on the way, and at last the one without
 * links. The file need not exist.
 *
 * @throws RangeError if the links go in circles; else what `readLink` throws.
 */
export function followLinks(path: string, readLink: ReadLink): readonly string[] {
  const found: string[] = []
  let left = namesOf(path)
  let current = ''
  let links = 0
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    const next = name === '..' ? parentOf(current) : `${current}/${name}`
    const entry = name === '..' ? true : readLink(next)
    if (typeof entry === 'string') {
      links += 1
      if (links > maxLinks) throw new RangeError(`too many links at ${path}`)
      if (entry.startsWith('/')) current = ''
      left.push(...namesOf(entry))
      found.push(withoutSlash(normalize([current, ...left.toReversed()].join('/'))))
    } else current = next
    if (entry === undefined && !left.includes('..')) {
      // Below what is not there nothing is either.
      current = [current, ...left.toReversed()].join('/')
      left = []
    }
  }
  return [...found, current === '' ? '/' : current]
}

/** The names of a path, the last one first. */
function namesOf(path: string): string[] {
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .toReversed()
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** A path without a slash at the end, but for the root. */
export function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
