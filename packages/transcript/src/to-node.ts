import type { ChainNode } from './chain.ts'
import { toEntry } from './history-entry.ts'
import { isObject, type TranscriptRecord } from './record.ts'

const messageTypes = new Set(['user', 'assistant', 'system'])

/** Tells whether a record has a place in the chain, or would have if it were whole. */
export function isChainRecord(record: TranscriptRecord): boolean {
  return messageTypes.has(record.type) || ('uuid' in record && 'parentUuid' in record)
}

/** What the chain needs of a record: nothing of one that belongs to another conversation in the same file, or has not the fields of its type. */
export function toNode(record: TranscriptRecord, isSidechain: boolean): ChainNode | 'foreign' | 'elsewhere' {
  const { uuid } = record
  if (typeof uuid !== 'string') return 'foreign'
  if (!isSidechain && isElsewhere(record)) return 'elsewhere'
  const entry = toEntry(record)
  if (entry === undefined) return 'foreign'
  const isMessage = entry !== 'none' && entry.kind === 'message'
  const boundary = boundaryFacts(record)
  return {
    uuid,
    parentUuid: parentOf(record),
    // A conversation that was taken back to its beginning ends at the mark of that.
    isVisible: (isMessage && record['isMeta'] !== true) || boundary.compactedUpTo === uuid,
    ...(entry !== 'none' && { entry }),
    ...boundary,
  }
}

function isElsewhere(record: TranscriptRecord): boolean {
  return record['isSidechain'] === true || typeof record['teamName'] === 'string'
}

/** Whatever is no name and not null says nothing. */
function parentOf({ parentUuid }: TranscriptRecord): string | null | undefined {
  return typeof parentUuid === 'string' || parentUuid === null ? parentUuid : undefined
}

function boundaryFacts({ type, subtype, compactMetadata }: TranscriptRecord): {
  isBoundary: boolean
  compactedUpTo?: string
} {
  if (type !== 'system' || subtype !== 'compact_boundary') return { isBoundary: false }
  const upTo = isObject(compactMetadata) ? compactMetadata['lastUuid'] : undefined
  return { isBoundary: true, ...(typeof upTo === 'string' && { compactedUpTo: upTo }) }
}
