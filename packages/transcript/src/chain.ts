import type { HistoryEntry } from './history-entry.ts'

/** A record of the chain, as far as the chain needs it. */
export interface ChainNode {
  readonly uuid: string
  /** The record before it; null at a root, undefined where the record does not say. */
  readonly parentUuid: string | null | undefined
  /** A message of the conversation that people see: the history ends at the last of them. */
  readonly isVisible: boolean
  /** The conversation was made shorter here. */
  readonly isBoundary: boolean
  readonly entry?: HistoryEntry
  /** Of a compaction: the last record that was written with it. */
  readonly compactedUpTo?: string
}

/** The way from the root to the end of the conversation. */
export interface Chain {
  readonly nodes: readonly ChainNode[]
  /** Links that were lost and taken from the order of the file. */
  readonly relinked: number
  /** Records whose `uuid` stands earlier in the file. */
  readonly doubles: ReadonlySet<ChainNode>
}

interface Index {
  readonly nodes: readonly ChainNode[]
  readonly places: ReadonlyMap<string, number>
}

/**
 * Finds the chain of records that the history is made of.
 *
 * Of several ends the one wins whose last visible message is latest in the file. A link that leads nowhere or in a circle is
 * replaced by the record before in the file, so that damage never makes a history shorter than what is left of it. A
 * compaction that was not written to its end does not count.
 */
export function findChain(all: readonly ChainNode[], options: { readonly upTo?: string } = {}): Chain {
  if (options.upTo === undefined && isStraight(all)) return { nodes: all, relinked: 0, doubles: new Set() }
  const doubles = new Set<ChainNode>()
  const index = indexNodes(all, doubles)
  const end = options.upTo === undefined ? findEnd(index) : index.places.get(options.upTo)
  if (end === undefined) return { nodes: [], relinked: 0, doubles }
  return { ...walk(index, end), doubles }
}

/** Tells whether a compaction was written to its end, or was gone on from. */
export function isComplete({ compactedUpTo }: ChainNode, nodes: readonly ChainNode[]): boolean {
  if (compactedUpTo === undefined) return true
  return nodes.some(({ uuid, parentUuid }) => uuid === compactedUpTo || parentUuid === compactedUpTo)
}

/** Most files are one line from a root to an end that can be seen. That is quickly told, and nothing has to be searched. */
function isStraight(nodes: readonly ChainNode[]): boolean {
  const [root] = nodes
  if (root?.parentUuid !== null || nodes.at(-1)?.isVisible !== true || !isComplete(root, nodes)) return false
  const isLine = nodes.every(({ parentUuid }, place) => place === 0 || parentUuid === nodes[place - 1]?.uuid)
  return isLine && new Set(nodes.map(({ uuid }) => uuid)).size === nodes.length
}

function indexNodes(all: readonly ChainNode[], doubles: Set<ChainNode>): Index {
  const first = new Map<string, ChainNode>()
  for (const node of all) {
    if (first.has(node.uuid)) doubles.add(node)
    else first.set(node.uuid, node)
  }
  const nodes: ChainNode[] = []
  const places = new Map<string, number>()
  const dead = new Set<string>()
  for (const node of first.values()) {
    const isDead =
      !isComplete(node, all) || (typeof node.parentUuid === 'string' && dead.has(node.parentUuid))
    if (isDead) dead.add(node.uuid)
    else places.set(node.uuid, nodes.push(node) - 1)
  }
  return { nodes, places }
}

function findEnd(index: Index): number | undefined {
  const ends = findEnds(index)
  return latest(index, ends, (node) => node.isVisible) ?? latest(index, ends, hasMessage)
}

/** The records that nobody names as parent; of a circle, which has none, the last one in the file. */
function findEnds({ nodes, places }: Index): readonly number[] {
  const parents = new Set(nodes.map(({ parentUuid }) => parentUuid))
  const ends = nodes.flatMap(({ uuid }, place) => (parents.has(uuid) ? [] : [place]))
  const seen = new Set<number>()
  const follow = (from: number): void => {
    for (let place: number | undefined = from; place !== undefined && !seen.has(place); ) {
      seen.add(place)
      const parent: string | null | undefined = nodes[place]?.parentUuid
      place = typeof parent === 'string' ? places.get(parent) : undefined
    }
  }
  ends.forEach(follow)
  for (let place = nodes.length - 1; place >= 0 && seen.size < nodes.length; place -= 1) {
    if (seen.has(place)) continue
    ends.push(place)
    follow(place)
  }
  return ends.sort((one, other) => one - other)
}

/** The end whose last message of the wanted kind is latest in the file. */
function latest(
  index: Index,
  ends: readonly number[],
  isWanted: (node: ChainNode) => boolean,
): number | undefined {
  let best: { readonly end: number; readonly message: number } | undefined
  for (const end of ends) {
    const message = climb(index, end, isWanted)
    if (message !== undefined && message >= (best?.message ?? -1)) best = { end, message }
  }
  return best?.end
}

function climb(
  { nodes, places }: Index,
  from: number,
  isWanted: (node: ChainNode) => boolean,
): number | undefined {
  const seen = new Set<number>()
  for (let place: number | undefined = from; place !== undefined && !seen.has(place); ) {
    const node: ChainNode | undefined = nodes[place]
    if (node === undefined) return undefined
    if (isWanted(node)) return place
    seen.add(place)
    place = typeof node.parentUuid === 'string' ? places.get(node.parentUuid) : undefined
  }
  return undefined
}

function hasMessage({ entry }: ChainNode): boolean {
  return entry?.kind === 'message'
}

function walk({ nodes, places }: Index, end: number): { nodes: readonly ChainNode[]; relinked: number } {
  const path: ChainNode[] = []
  const seen = new Set<number>()
  let relinked = 0
  for (let place: number | undefined = end; place !== undefined; ) {
    const node: ChainNode | undefined = nodes[place]
    if (node === undefined) break
    path.push(node)
    seen.add(place)
    if (node.parentUuid === null) break
    const parent: number | undefined = node.parentUuid === undefined ? undefined : places.get(node.parentUuid)
    const isLost: boolean = parent === undefined || seen.has(parent)
    if (isLost) relinked += 1
    place = isLost ? before(place, seen) : parent
  }
  return { nodes: path.toReversed(), relinked }
}

function before(place: number, seen: ReadonlySet<number>): number | undefined {
  for (let previous = place - 1; previous >= 0; previous -= 1) if (!seen.has(previous)) return previous
  return undefined
}
