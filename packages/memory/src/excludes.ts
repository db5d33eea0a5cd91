import { compileGlob, type PathMatcher } from './glob.ts'
import type { MemoryProblem } from './memory-file.ts'
import { expandHome, toSlashes } from './paths.ts'

/** Compiles patterns for absolute paths of files to skip. */
export function compileExcludes(
  patterns: readonly string[],
  home: string,
): { readonly isExcluded: PathMatcher; readonly problems: readonly MemoryProblem[] } {
  const compiled = patterns.map((pattern) => ({
    pattern,
    matches: compileExclude(expandHome(pattern, home)),
  }))
  const matchers = compiled.flatMap(({ matches }) => (matches === undefined ? [] : [matches]))
  const bad = compiled.filter(({ matches }) => matches === undefined)
  return {
    isExcluded: (path) => matchers.some((matches) => matches(toSlashes(path))),
    problems: bad.map(({ pattern }) => ({
      code: 'bad-pattern',
      path: 'claudeMdExcludes',
      message: `claudeMdExcludes: ${JSON.stringify(pattern)} is not a pattern for absolute paths, so it skips nothing`,
    })),
  }
}

/** A relative pattern could match no absolute path. */
function compileExclude(pattern: string): PathMatcher | undefined {
  return /^(?:\/|\*\*|[A-Za-z]:\/|\{)/.test(pattern) ? compileGlob(pattern) : undefined
}
