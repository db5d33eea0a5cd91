import { expandBraces } from './expand-braces.ts'

/** Says whether a path with `/` between its names matches. */
export type PathMatcher = (path: string) => boolean

/**
 * Compiles a pattern: `*` and `?` within a name, `**` for any number of folders, `[a-z]`, `{a,b}`, `\` before a character that is meant
 * itself. A slash at the end means everything below. Names that begin with a dot are like any other.
 *
 * Matching takes time in proportion to pattern times path, whatever the pattern. Nothing for a bad pattern.
 */
export function compileGlob(pattern: string): PathMatcher | undefined {
  if (pattern.length > maxLength || pattern.startsWith('!')) return undefined
  const whole = (pattern.endsWith('/') ? `${pattern}**` : pattern).replace(/^(?:\.\/)+/, '')
  const expanded = whole === '' ? undefined : expandBraces(whole)
  const compiled = expanded?.map(compilePath).filter((steps) => steps !== undefined)
  if (compiled === undefined || compiled.length < (expanded?.length ?? 0)) return undefined
  return (path) => {
    const names = path.split('/')
    return compiled.some((steps) => matchesPath(steps, names))
  }
}

const maxLength = 4096

type Step = 'any-folders' | NamePattern

type NamePattern = readonly NameStep[]

/** One character that fits, or any text. */
type NameStep = 'any-text' | ((character: string) => boolean)

function compilePath(pattern: string): readonly Step[] | undefined {
  const steps: Step[] = []
  for (const name of splitNames(pattern)) {
    if (name === '**') {
      if (steps.at(-1) !== 'any-folders') steps.push('any-folders')
      continue
    }
    const compiled = compileName(name)
    if (compiled === undefined) return undefined
    steps.push(compiled)
  }
  // At the end `**` is for what lies in the folder, not for the folder.
  return steps.at(-1) === 'any-folders' ? [...steps, ['any-text']] : steps
}

/** A class may hold a slash, which matches nothing. */
function splitNames(pattern: string): readonly string[] {
  const names = ['']
  for (const piece of pattern.match(/\\[^]|\[[!^]?\]?[^\]]*\]|[^]/gu) ?? []) {
    if (piece === '/') names.push('')
    else names.push((names.pop() ?? '') + piece)
  }
  return names
}

function compileName(name: string): NamePattern | undefined {
  const steps: NameStep[] = []
  for (const piece of name.match(/\\[^]|\[[!^]?\]?[^\]]*\]|[^]/gu) ?? []) {
    if (piece === '*') {
      if (steps.at(-1) !== 'any-text') steps.push('any-text')
    } else if (piece === '[' || piece === '\\') return undefined
    else steps.push(compileCharacter(piece))
  }
  return steps
}

function compileCharacter(piece: string): (character: string) => boolean {
  if (piece === '?') return () => true
  if (piece.startsWith('[') && piece.length > 1) return compileClass(piece)
  const literal = piece.startsWith('\\') ? piece.slice(1) : piece
  return (character) => character === literal
}

function compileClass(piece: string): (character: string) => boolean {
  const isNegated = /^\[[!^]/.test(piece)
  const members = [...piece.slice(isNegated ? 2 : 1, -1).matchAll(/(.)-(.)|\\?(.)/gsu)]
  return (character) =>
    members.some(([, low, high, single]) =>
      single === undefined ? (low ?? '') <= character && character <= (high ?? '') : single === character,
    ) !== isNegated
}

/** The steps that may come next, name by name: no pattern makes it look twice at the same pair. */
function matchesPath(steps: readonly Step[], names: readonly string[]): boolean {
  let open = skipAny(steps, new Set([0]))
  for (const name of names) {
    const next = new Set<number>()
    for (const index of open) {
      const step = steps[index]
      if (step === 'any-folders') next.add(index)
      else if (step !== undefined && matchesName(step, name)) next.add(index + 1)
    }
    open = skipAny(steps, next)
    if (open.size === 0) return false
  }
  return open.has(steps.length)
}

/** `**` may stand for no folder at all. */
function skipAny(steps: readonly Step[], open: Set<number>): ReadonlySet<number> {
  for (const index of open) if (steps[index] === 'any-folders') open.add(index + 1)
  return open
}

/** Greedy, and on a mismatch back to the last star only. */
function matchesName(steps: NamePattern, name: string): boolean {
  const characters = Array.from(name)
  let step = 0
  let star: { readonly step: number; at: number } | undefined
  for (let at = 0; at < characters.length; ) {
    const current = steps[step]
    if (current === 'any-text') {
      star = { step, at }
      step += 1
    } else if (current?.(characters[at] ?? '') === true) {
      step += 1
      at += 1
    } else if (star === undefined) return false
    else {
      star.at += 1
      at = star.at
      step = star.step + 1
    }
  }
  while (steps[step] === 'any-text') step += 1
  return step === steps.length
}
