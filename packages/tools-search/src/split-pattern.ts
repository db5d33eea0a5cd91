/** A glob pattern apart from the folders that it names plainly. */
export interface SplitPattern {
  /** Where the pattern begins; undefined: where the search does. */
  readonly folder: string | undefined
  /** What is left of the pattern. */
  readonly pattern: string
}

const MAGIC = /[*?[\]{}\\]/u

/** Splits off the leading folders of a pattern that begins at `/`, `~`, `.` or `..`: ripgrep knows only what is below its folder. */
export function splitPattern(whole: string): SplitPattern {
  if (!/^(\/|~\/|\.\.?\/)/u.test(whole)) return { folder: undefined, pattern: escapeNegation(whole) }
  const parts = whole.split(/\/+/u)
  const last = parts.length - 1
  const magic = parts.findIndex((part, index) => MAGIC.test(part) || index === last)
  const folder = parts.slice(0, magic).join('/')
  // With a slash in front it fits in this folder only, not in those below.
  return { folder: folder === '' ? '/' : folder, pattern: `/${parts.slice(magic).join('/')}` }
}

/** To ripgrep `!` in front turns a pattern round. */
function escapeNegation(pattern: string): string {
  return pattern.startsWith('!') ? `\\${pattern}` : pattern
}
