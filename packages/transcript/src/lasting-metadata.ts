import type { TranscriptRecord } from './record.ts'
import { startedType } from './started-calls.ts'

/** So much may stand behind the metadata before it is repeated, in bytes. */
const repeatAfterBytes = 32 * 1024
/** How far from the end whoever wants the metadata looks, in bytes: further than what is repeated can be away. */
export const metadataWindowBytes = 128 * 1024
/** What is larger is not repeated, in characters of its line. */
const maxRepeatedLength = 4 * 1024
/** Entries of a log, which a repetition would make happen twice. */
const neverRepeated = new Set([
  'sequence',
  'result',
  'queue-operation',
  'file-history-snapshot',
  'content-replacement',
  startedType,
])

/**
 * The last metadata record of each kind. They are written again from time to time, so that whoever reads the end of a long file
 * alone (listings, a load back to the last compaction) finds them.
 */
export class LastingMetadata {
  readonly #records: Map<string, TranscriptRecord>
  #bytesSince = 0

  constructor(records: Iterable<readonly [string, TranscriptRecord]>) {
    this.#records = new Map(records)
  }

  /** By kind. */
  get records(): ReadonlyMap<string, TranscriptRecord> {
    return this.#records
  }

  /** Notes a new one. */
  set(record: TranscriptRecord): void {
    this.#records.set(record.type, record)
  }

  /** The lines to write behind so many new bytes; empty where they still stand near the end. */
  linesAfter(bytes: number, { isCompaction = false } = {}): string {
    this.#bytesSince += bytes
    if (!isCompaction && this.#bytesSince < repeatAfterBytes) return ''
    this.#bytesSince = 0
    return [...this.#records.values()]
      .filter(({ type, uuid }) => uuid === undefined && !neverRepeated.has(type))
      .map((record) => `${JSON.stringify(record)}\n`)
      .filter((line) => line.length <= maxRepeatedLength)
      .join('')
  }
}
