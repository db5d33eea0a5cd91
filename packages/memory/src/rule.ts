import { compileGlob, type PathMatcher } from './glob.ts'
import type { MemoryProblem } from './memory-file.ts'
import { expandHome, pathBelow, toSlashes } from './paths.ts'
import { describeProblem } from './problem.ts'
import type { Instructions } from './read-instructions.ts'

/** A rule that is for some files only. */
export interface Rule {
  readonly instructions: Instructions
  readonly globs: readonly string[]
  /** Is it for a file? Takes an absolute path, links in its folders followed. */
  matches(path: string): boolean
}

/** How many patterns a rule may have. */
const maxGlobs = 100

/**
 * Compiles the patterns of a rule. A relative one starts from the folder that holds the rule's `.claude`, for the user's own rules from the
 * start folder; `/` and `~/` begin absolute ones.
 */
export function compileRule(
  instructions: Instructions,
  globs: readonly string[],
  home: string,
): { readonly rule: Rule; readonly problems: readonly MemoryProblem[] } {
  const { path, ruleBase = '' } = instructions
  const compiled = globs
    .slice(0, maxGlobs)
    .map((glob) => ({ glob, matches: compileIn(ruleBase, expandHome(glob, home)) }))
  const matchers = compiled.flatMap(({ matches }) => (matches === undefined ? [] : [matches]))
  const bad = compiled.filter(({ matches }) => matches === undefined)
  const problems = bad.map(({ glob }) =>
    describeProblem('bad-pattern', path, {
      why: `the pattern ${JSON.stringify(glob)} is not valid, so it matches nothing`,
    }),
  )
  if (globs.length > maxGlobs) {
    const why = `only the first ${maxGlobs} patterns of a rule are looked at`
    problems.push(describeProblem('too-many', path, { why }))
  }
  return {
    rule: { instructions, globs, matches: (path) => matchers.some((matches) => matches(path)) },
    problems,
  }
}

function compileIn(base: string, glob: string): PathMatcher | undefined {
  const matches = compileGlob(glob)
  if (matches === undefined) return undefined
  if (/^(?:\/|[A-Za-z]:\/)/.test(glob)) return (path) => matches(toSlashes(path))
  return (path) => {
    const below = pathBelow(path, base)
    return below !== undefined && matches(below)
  }
}
