import { type JsonNode, type PathStep, toValue } from './json-node.ts'
import type { CheckedFile } from './settings-file.ts'

/** One place in one file that gives a value. */
export interface MergeSource {
  readonly file: CheckedFile
  readonly node: JsonNode
  readonly path: readonly PathStep[]
}

/** A merged value that knows all places it comes from, the strongest first. */
export type MergedNode =
  | { readonly kind: 'scalar'; readonly sources: readonly MergeSource[]; readonly value: unknown }
  | {
      readonly kind: 'array'
      readonly sources: readonly MergeSource[]
      readonly items: readonly MergedNode[]
    }
  | {
      readonly kind: 'object'
      readonly sources: readonly MergeSource[]
      readonly entries: ReadonlyMap<string, MergedNode>
    }

/** The value of one file, ready to be merged. */
export function toMergedNode(file: CheckedFile, node: JsonNode, path: readonly PathStep[] = []): MergedNode {
  const sources = [{ file, node, path }]
  if (node.kind === 'array') {
    const items = node.items.map((item) => toMergedNode(file, item, [...path, item.step]))
    return { kind: 'array', sources, items }
  }
  if (node.kind !== 'object') return { kind: 'scalar', sources, value: toValue(node) }
  const entries = new Map<string, MergedNode>()
  for (const [key, { value }] of node.entries) entries.set(key, toMergedNode(file, value, [...path, key]))
  return { kind: 'object', sources, entries }
}

/**
 * Puts a stronger value over a weaker one: objects key by key, arrays united, anything else replaced.
 *
 * Of numbers, strings and booleans in arrays, those that the weaker array has already are not added again; objects always are, so that
 * no layer's hook group is lost. The weaker array's elements stand first, but for a managed one, which stands first itself.
 */
export function mergeNodes(weaker: MergedNode, stronger: MergedNode): MergedNode {
  const sources = [...stronger.sources, ...weaker.sources]
  if (weaker.kind === 'array' && stronger.kind === 'array') {
    const isFirst = isManaged(stronger) && !isManaged(weaker)
    const [first, second] = isFirst ? [stronger, weaker] : [weaker, stronger]
    return { kind: 'array', sources, items: uniteItems(first.items, second.items, isFirst) }
  }
  if (weaker.kind === 'object' && stronger.kind === 'object') {
    return { kind: 'object', sources, entries: mergeEntries(weaker.entries, stronger.entries) }
  }
  return { ...stronger, sources }
}

/** The plain value of a merged node, made of fresh objects and arrays. */
export function toMergedValue(node: MergedNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'array') return node.items.map(toMergedValue)
  const value: Record<string, unknown> = {}
  for (const [key, entry] of node.entries) value[key] = toMergedValue(entry)
  return value
}

function uniteItems(
  first: readonly MergedNode[],
  second: readonly MergedNode[],
  isFirstStronger: boolean,
): readonly MergedNode[] {
  const items = [...first]
  const known = new Map<unknown, number>()
  first.forEach((item, index) => {
    if (item.kind === 'scalar' && !known.has(item.value)) known.set(item.value, index)
  })
  for (const item of second) {
    const index = item.kind === 'scalar' ? known.get(item.value) : undefined
    const twin = index === undefined ? undefined : first[index]
    if (index === undefined || twin === undefined) {
      items.push(item)
    } else {
      const both = isFirstStronger ? [...twin.sources, ...item.sources] : [...item.sources, ...twin.sources]
      items[index] = { ...twin, sources: both }
    }
  }
  return items
}

type MergedEntries = ReadonlyMap<string, MergedNode>

function mergeEntries(weaker: MergedEntries, stronger: MergedEntries): MergedEntries {
  const entries = new Map(weaker)
  for (const [key, node] of stronger) {
    const below = entries.get(key)
    entries.set(key, below === undefined ? node : mergeNodes(below, node))
  }
  return entries
}

function isManaged(node: MergedNode): boolean {
  return node.sources[0]?.file.layer === 'managed'
}
