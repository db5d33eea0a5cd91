import type { ChangeLine, CheckpointLine, IndexLine, WrittenLine } from './index-line.ts'

/** A checkpoint and what happened until the next one, in order. */
export interface CheckpointSpan {
  readonly checkpoint: CheckpointLine
  readonly entries: (ChangeLine | WrittenLine)[]
  /** Paths changed in it. */
  readonly paths: Set<string>
}

/** The last checkpoints, the oldest first. */
export interface History {
  readonly spans: readonly CheckpointSpan[]
  /** The number for the next change. */
  nextNumber(): number
  /** Adds a line. What belongs to no checkpoint is left out, and the oldest checkpoint goes when there are too many. */
  add(line: IndexLine): void
  /** How many checkpoints have gone so far. */
  droppedCount(): number
  /** Everything that is left, as lines. */
  toLines(): readonly IndexLine[]
}

/** Makes a history in memory that keeps the last `maxCheckpoints`. */
export function createHistory(maxCheckpoints: number): History {
  const spans: CheckpointSpan[] = []
  let highestNumber = 0
  let dropped = 0
  const addCheckpoint = (checkpoint: CheckpointLine): void => {
    if (indexOfMessage(spans, checkpoint.messageId) !== -1) return
    spans.push({ checkpoint, entries: [], paths: new Set() })
    if (spans.length > maxCheckpoints) {
      spans.shift()
      dropped++
    }
  }
  const addEntry = (entry: ChangeLine | WrittenLine): void => {
    highestNumber = Math.max(highestNumber, entry.number)
    const span = spans.at(-1)
    span?.entries.push(entry)
    if (entry.type === 'change') span?.paths.add(entry.path)
  }
  return {
    spans,
    nextNumber: () => highestNumber + 1,
    add: (line) => (line.type === 'checkpoint' ? addCheckpoint(line) : addEntry(line)),
    droppedCount: () => dropped,
    toLines: () => spans.flatMap(({ checkpoint, entries }) => [checkpoint, ...entries]),
  }
}

/** Where the checkpoint of a message stands; -1 if it is unknown or has gone. */
export function indexOfMessage(spans: readonly CheckpointSpan[], messageId: string): number {
  return spans.findIndex(({ checkpoint }) => checkpoint.messageId === messageId)
}

/** Digests of all copies that something still needs. */
export function digestsInUse(history: History): ReadonlySet<string> {
  const digests = new Set<string>()
  for (const { entries } of history.spans) {
    for (const entry of entries) {
      if (entry.type === 'change' && entry.before?.copy === 'kept') digests.add(entry.before.digest)
    }
  }
  return digests
}
