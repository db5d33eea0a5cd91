import type { CompiledRule, Matcher } from './compiled-rule.ts'
import type { Disk } from './disk.ts'
import { type FoundPath, isBelow, type Places } from './places.ts'

/** Rules about files, found by the fixed beginning of their paths. */
export interface PathIndex {
  /** The first rule that speaks about the file. */
  find(path: FoundPath, places: Places, disk: Disk): CompiledRule | undefined
}

type PathMatcher = Extract<Matcher, { kind: 'path' }>

interface PathRule {
  readonly rule: CompiledRule
  readonly matcher: PathMatcher
  readonly position: number
}

interface Buckets {
  /** Rules by the folder or file that they begin with. */
  readonly fixed: ReadonlyMap<string, readonly PathRule[]>
  /** Rules that may match anywhere. */
  readonly floating: readonly PathRule[]
}

/** Makes the index; it is sorted anew when the folders that rules refer to move. */
export function createPathIndex(rules: readonly CompiledRule[]): PathIndex {
  const own = rules.flatMap(({ matcher }, position): PathRule[] => {
    const rule = rules[position]
    return matcher.kind === 'path' && rule ? [{ rule, matcher, position }] : []
  })
  let sorted: { readonly key: string; readonly buckets: Buckets } | undefined
  // A path is found anew for every judgement, so that nothing is remembered beyond one.
  const known = new WeakMap<FoundPath, { readonly rule: CompiledRule | undefined }>()
  const search = (path: FoundPath, places: Places, disk: Disk): CompiledRule | undefined => {
    const key = keyOf(places, disk)
    if (sorted?.key !== key) sorted = { key, buckets: sort(own, places, disk) }
    return firstMatch(candidatesFor(path, sorted.buckets), (one) => one.matcher.matches(path, places, disk))
  }
  return {
    find: (path, places, disk) => {
      if (own.length === 0) return undefined
      const found = known.get(path) ?? { rule: search(path, places, disk) }
      known.set(path, found)
      return found.rule
    },
  }
}

/** Everything that an anchor may refer to, links followed. */
function keyOf({ home, projectDir, startDir, cwd, checkoutDir = cwd }: Places, disk: Disk): string {
  return [home, projectDir, startDir, cwd, checkoutDir]
    .map((folder) => disk.resolve(folder).all.join('\n'))
    .join('\0')
}

function sort(rules: readonly PathRule[], places: Places, disk: Disk): Buckets {
  const fixed = new Map<string, PathRule[]>()
  const floating: PathRule[] = []
  for (const rule of rules) {
    const beginnings = rule.matcher.beginnings(places, disk)
    if (beginnings === undefined) floating.push(rule)
    for (const beginning of beginnings ?? []) {
      const bucket = fixed.get(beginning)
      if (bucket) bucket.push(rule)
      else fixed.set(beginning, [rule])
    }
  }
  return { fixed, floating }
}

function candidatesFor(
  { segments, isPattern }: FoundPath,
  { fixed, floating }: Buckets,
): readonly PathRule[] {
  const found = segments.flatMap((form) =>
    isPattern === true ? nearPattern(form, fixed) : onTheWay(form, fixed),
  )
  return found.length === 0 ? floating : [...found, ...floating]
}

function onTheWay(form: readonly string[], fixed: Buckets['fixed']): readonly PathRule[] {
  const found: PathRule[] = []
  let beginning = ''
  for (const name of form) {
    beginning += `/${name}`
    const bucket = fixed.get(beginning)
    if (bucket) found.push(...bucket)
  }
  return found
}

/** What a pattern may lead to begins as its own fixed names do. */
function nearPattern(form: readonly string[], fixed: Buckets['fixed']): readonly PathRule[] {
  const open = form.findIndex((name) => /[*?[]/.test(name))
  const own = `/${form.slice(0, open < 0 ? form.length : open).join('/')}`
  return [...fixed].flatMap(([beginning, rules]) =>
    own === '/' || isBelow(beginning, own) || isBelow(own, beginning) ? rules : [],
  )
}

/** The order of the list decides, not the order of the search. */
function firstMatch(rules: readonly PathRule[], fits: (rule: PathRule) => boolean): CompiledRule | undefined {
  let first: PathRule | undefined
  for (const rule of rules) {
    if ((first === undefined || rule.position < first.position) && fits(rule)) first = rule
  }
  return first?.rule
}
