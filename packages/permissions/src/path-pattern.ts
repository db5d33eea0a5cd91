import { compileSegment, type SegmentPattern } from './segment-pattern.ts'

/** One gitignore pattern, compiled. Paths are given in segments, relative to the anchor of the pattern. */
export interface PathPattern {
  /** The names that every matching path begins with; none where it may be any. */
  readonly fixed: readonly string[]
  /** Does it match the path, or a folder above it? The path begins at the segment `from`. */
  matches(segments: readonly string[], from: number): boolean
  /** May it match a path that is known as a pattern only? A segment `**` stands for any text. */
  meets(segments: readonly string[], from: number): boolean
}

/** How a pattern is read. */
export interface PathPatternOptions {
  /** `src/**` means any folder of that name, and `src` itself too: rules that forbid reach as far as they can. */
  readonly reachesFar: boolean
  /** Whether upper and lower case are the same. */
  readonly ignoresCase: boolean
  /** Whether a pattern without a slash stays at the anchor. */
  readonly isAnchored: boolean
}

type Segment = '**' | SegmentPattern

/** Compiles a gitignore pattern: `*` and `?` stay in a segment, `**` crosses, `[a-z]` and `\` work as usual. */
export function compilePathPattern(pattern: string, options: PathPatternOptions): PathPattern {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.')
  const isFloating = floats(pattern, parts, options)
  const fold = options.ignoresCase ? (text: string) => text.toLowerCase() : (text: string) => text
  const segments = parts.map((part): Segment => (part === '**' ? '**' : compileSegment(fold(part))))
  if (isFloating && segments[0] !== '**') segments.unshift('**')
  const [first] = segments
  return {
    fixed: options.ignoresCase ? [] : fixedOf(segments),
    matches: (path, from) => {
      // Most patterns fail at once.
      const name = path[from]
      if (first !== undefined && first !== '**' && (name === undefined || !first.matches(fold(name))))
        return false
      return matchSegments(segments, path.slice(from).map(fold), options.reachesFar)
    },
    meets: (path, from) => meetSegments(segments, path.slice(from).map(fold)),
  }
}

/** A pattern without a slash means any depth; one of a rule that forbids does so too with `/**` behind it. */
function floats(pattern: string, parts: readonly string[], options: PathPatternOptions): boolean {
  if (options.isAnchored) return false
  if (parts.length === 1) return !/^\/|.\/./.test(pattern)
  return options.reachesFar && parts.length === 2 && parts[1] === '**'
}

function fixedOf(segments: readonly Segment[]): readonly string[] {
  const names = segments.map((segment) => (segment === '**' ? undefined : segment.literal))
  const end = names.indexOf(undefined)
  return (end < 0 ? names : names.slice(0, end)).filter((name) => name !== undefined)
}

/** Walks all ways through the pattern at once, so that no pattern makes a match slow. */
function matchSegments(pattern: readonly Segment[], path: readonly string[], reachesFar: boolean): boolean {
  const last = pattern.length - 1
  let places = withSkipped([0], pattern)
  for (const name of path) {
    if (places.includes(last) && pattern[last] === '**') return true
    places = withSkipped(
      places.flatMap((place) => step(pattern[place], place, name)),
      pattern,
    )
    if (places.includes(pattern.length)) return true
  }
  return pattern.length === 0 || (reachesFar && places.includes(last) && pattern[last] === '**')
}

function step(segment: Segment | undefined, place: number, name: string): readonly number[] {
  if (segment === '**') return [place]
  return segment?.matches(name) === true ? [place + 1] : []
}

/** `**` may also stand for no segment, but at the end it wants one. */
function withSkipped(places: readonly number[], pattern: readonly Segment[]): number[] {
  const all = new Set<number>()
  for (let place of places) {
    all.add(place)
    while (pattern[place] === '**' && place < pattern.length - 1) {
      place += 1
      all.add(place)
    }
  }
  return [...all]
}

/** Is there a path that both patterns match? Every pair of places is looked at once. */
function meetSegments(pattern: readonly Segment[], path: readonly string[]): boolean {
  const seen = new Set<number>()
  const meet = (place: number, at: number): boolean => {
    if (place === pattern.length) return true
    const key = place * (path.length + 1) + at
    if (seen.has(key)) return false
    seen.add(key)
    const segment = pattern[place]
    const name = path[at]
    if (name === undefined) return segment === '**' && place === pattern.length - 1
    if (segment === '**' || name === '**') return meet(place + 1, at) || meet(place, at + 1)
    return segment !== undefined && segment.meets(name) && meet(place + 1, at + 1)
  }
  return meet(0, 0)
}
