import { type ChainNode, findChain } from './chain.ts'
import type { TranscriptRecord } from './record.ts'
import { isChainRecord, toNode } from './to-node.ts'

/** The whole conversation that a session has come to, over every compaction back to its beginning. */
export class WholeWay {
  readonly #nodes: ChainNode[] = []
  readonly #links = new Map<string, Link>()
  /** What is written again behind a mark, and the last of that. */
  #batch: { readonly copies: Set<string>; readonly last: string } | undefined

  /** Takes the next record of the file in. Tells whether it only repeats what was said before, or sums it up. */
  add(record: TranscriptRecord): boolean {
    const node = isChainRecord(record) ? toNode(record, false) : 'foreign'
    if (node === 'foreign' || node === 'elsewhere') return false
    // What was said is not needed here, and may be a lot.
    const { entry: _, ...place } = node
    const previous = this.#nodes.at(-1)?.uuid
    if (!this.#links.has(node.uuid)) this.#links.set(node.uuid, { before: beforeOf(record, node), previous })
    this.#nodes.push(place)
    return this.#isCopy(node)
  }

  /** The names of all records that the conversation is made of now, and was before it was made shorter. */
  told(): ReadonlySet<string> {
    const told = new Set<string>()
    let next = findChain(this.#nodes).nodes.at(-1)?.uuid
    while (next !== undefined && !told.has(next)) {
      told.add(next)
      next = this.#follow(next)
    }
    return told
  }

  /** A link that was lost is taken from the order of the file, as everywhere. */
  #follow(uuid: string): string | undefined {
    const { before, previous } = this.#links.get(uuid) ?? { before: null }
    if (before === null) return undefined
    return before !== undefined && this.#links.has(before) ? before : previous
  }

  #isCopy({ uuid, parentUuid, compactedUpTo }: ChainNode): boolean {
    if (compactedUpTo !== undefined) this.#batch = { copies: new Set([uuid]), last: compactedUpTo }
    const isCopy = typeof parentUuid === 'string' && this.#batch?.copies.has(parentUuid) === true
    if (isCopy) this.#batch?.copies.add(uuid)
    if (uuid === this.#batch?.last) this.#batch = undefined
    return isCopy
  }
}

interface Link {
  /** The record that it follows, over a compaction too; null at the beginning, undefined where nothing says. */
  readonly before: string | null | undefined
  /** The one in front of it in the file. */
  readonly previous: string | undefined
}

function beforeOf(
  { logicalParentUuid }: TranscriptRecord,
  { uuid, parentUuid, isBoundary, compactedUpTo }: ChainNode,
): string | null | undefined {
  if (!isBoundary) return parentUuid
  // Nothing was taken along: the conversation was taken back to its beginning.
  if (compactedUpTo === uuid) return null
  return typeof logicalParentUuid === 'string' ? logicalParentUuid : undefined
}
