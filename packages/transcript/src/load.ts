import { constants, type FileHandle, open } from 'node:fs/promises'
import type { AssistantMessage } from '@x/contract'
import { type ChainNode, findChain, isComplete } from './chain.ts'
import { systemCodeOf, TranscriptError } from './errors.ts'
import type { HistoryEntry } from './history-entry.ts'
import { parseLine, type RawLine, type SkipReason } from './parse-line.ts'
import { readLinesBackward } from './read-lines.ts'
import type { TranscriptRecord } from './record.ts'
import { callsOf, findUntold, type StartedCall, toStartedCall } from './started-calls.ts'
import { isChainRecord, toNode } from './to-node.ts'

/** A line that was left out. */
export interface SkippedLine {
  /** Number of the line, from 1; absent where the beginning of the file was not read. */
  readonly line?: number
  /** Where the line begins in the file, in bytes. */
  readonly offset: number
  /** Why. */
  readonly reason: SkipReason
}

/** What the file was like. Nothing of it stops a transcript from loading. */
export interface LoadReport {
  /** Lines that were left out, in the order of the file; the last 1,000 of them. */
  readonly skipped: readonly SkippedLine[]
  /** How many lines were left out. */
  readonly skippedCount: number
  /** Links to a record before that were lost and taken from the order of the file. */
  readonly relinked: number
  /** All of the file was read. False where a compaction made the beginning needless. */
  readonly isWhole: boolean
}

/** A transcript as it was found. */
export interface LoadedTranscript {
  readonly entries: readonly HistoryEntry[]
  /** What had begun when the transcript broke off, and no record of the conversation tells of; it goes behind the entries. */
  readonly untold: AssistantMessage | undefined
  /** The ids of the calls of which a record says that they began. */
  readonly begun: ReadonlySet<string>
  /** The record that the next one goes behind; null in an empty transcript. */
  readonly head: string | null
  readonly report: LoadReport
  /** The number after the highest of any event that is told of in the file. */
  readonly nextSequence: number
  /** The last record of each kind outside the chain. */
  readonly metadata: ReadonlyMap<string, TranscriptRecord>
  /** The last line has no newline. */
  readonly endsOpen: boolean
}

/** What to load. */
export interface LoadOptions {
  /** The file of an agent: all its records are the conversation. */
  readonly isSidechain: boolean
  /** The record that shall be the last. */
  readonly upTo?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Loads a transcript of any condition, from its end back to the last compaction or the beginning.
 *
 * @throws TranscriptError `unreadable` if the file is there and cannot be read, `not-found` if `upTo` is not in it.
 */
export async function loadTranscript(path: string, options: LoadOptions): Promise<LoadedTranscript> {
  const collected = new Collected(options)
  await using file = await openForReading(path)
  if (file !== undefined) {
    await collect(file, collected, options.signal).catch((error: unknown) => {
      options.signal?.throwIfAborted()
      throw new TranscriptError('unreadable', `${path} cannot be read`, { file: path, cause: error })
    })
  }
  const loaded = collected.finish()
  if (options.upTo !== undefined && loaded.head === null) {
    throw new TranscriptError('not-found', `No message found with uuid: ${options.upTo}`, { file: path })
  }
  return loaded
}

/** Opens a file to be read; nothing if there is none. Never waits for a pipe. */
export async function openForReading(path: string): Promise<FileHandle | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    if ((await file.stat()).isFile()) return file
    await file.close()
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined
    throw new TranscriptError('unreadable', `${path} cannot be read`, { file: path, cause: error })
  }
  throw new TranscriptError('unreadable', `${path} is not a file`, { file: path })
}

async function collect(
  file: FileHandle,
  collected: Collected,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { size } = await file.stat()
  for await (const lines of readLinesBackward(file, { size, signal })) {
    for (const line of lines) {
      collected.add(line)
      if (collected.isEnough) return
    }
  }
  collected.isWhole = true
}

const maxSkipped = 1_000

/** What was read so far, last line first. */
class Collected {
  isWhole = false
  isEnough = false
  readonly #options: LoadOptions
  readonly #nodes: ChainNode[] = []
  /** Of each node, the number of its line from the end, and where that begins. */
  readonly #fromEnds: number[] = []
  readonly #offsets: number[] = []
  readonly #skipped: { readonly fromEnd: number; readonly offset: number; readonly reason: SkipReason }[] = []
  readonly #metadata = new Map<string, TranscriptRecord>()
  readonly #started: StartedCall[] = []
  #skippedCount = 0
  #lineCount = 0
  #nextSequence = 0
  #endsOpen = false
  /** The next record of the chain on the way to its root; undefined until its end was met. */
  #wanted: string | undefined

  constructor(options: LoadOptions) {
    this.#options = options
    this.#wanted = options.upTo
  }

  add(line: RawLine): void {
    if (!line.isEnded) this.#endsOpen = true
    const fromEnd = this.#lineCount
    this.#lineCount += 1
    const parsed = parseLine(line)
    if (parsed.kind === 'skipped') this.#skip(fromEnd, line.offset, parsed.reason)
    else this.#addRecord(parsed.record, fromEnd, line.offset)
  }

  finish(): LoadedTranscript {
    const { upTo } = this.#options
    const chain = findChain(this.#nodes.toReversed(), upTo === undefined ? {} : { upTo })
    const entries = chain.nodes.flatMap(({ entry }) => entry ?? [])
    if (chain.doubles.size > 0) this.#skipDoubles(chain.doubles)
    return {
      entries,
      untold: upTo === undefined ? this.#findUntold(entries) : undefined,
      begun: new Set(this.#started.map(({ toolUseId }) => toolUseId)),
      head: chain.nodes.at(-1)?.uuid ?? null,
      report: {
        skipped: this.#toSkippedLines(),
        skippedCount: this.#skippedCount,
        relinked: chain.relinked,
        isWhole: this.isWhole,
      },
      nextSequence: this.#nextSequence,
      metadata: this.#metadata,
      endsOpen: this.#endsOpen,
    }
  }

  #addRecord(record: TranscriptRecord, fromEnd: number, offset: number): void {
    const { sequence, type } = record
    if (typeof sequence === 'number' && Number.isSafeInteger(sequence))
      this.#nextSequence = Math.max(this.#nextSequence, sequence + 1)
    if (!isChainRecord(record)) {
      const started = toStartedCall(record)
      if (started !== undefined) this.#started.push(started)
      if (!this.#metadata.has(type)) this.#metadata.set(type, record)
      return
    }
    const node = toNode(record, this.#options.isSidechain)
    if (node === 'foreign') this.#skip(fromEnd, offset, 'foreign')
    else if (node !== 'elsewhere') {
      this.#nodes.push(node)
      this.#fromEnds.push(fromEnd)
      this.#offsets.push(offset)
      this.#follow(node)
    }
  }

  /** Goes on towards the root; a compaction on the way makes everything before it needless. */
  #follow(node: ChainNode): void {
    const { uuid, parentUuid } = node
    if (this.#wanted === undefined && node.isVisible) this.#wanted = uuid
    if (this.#wanted !== uuid || typeof parentUuid === 'undefined') return
    if (parentUuid !== null) this.#wanted = parentUuid
    else this.isEnough = node.isBoundary && isComplete(node, this.#nodes)
  }

  #skipDoubles(doubles: ReadonlySet<ChainNode>): void {
    for (const [index, node] of this.#nodes.entries())
      if (doubles.has(node)) this.#skip(this.#fromEnds[index] ?? 0, this.#offsets[index] ?? 0, 'double')
  }

  #findUntold(entries: readonly HistoryEntry[]): AssistantMessage | undefined {
    if (this.#started.length === 0) return undefined
    const known = new Set(this.#nodes.flatMap(({ entry }) => (entry === undefined ? [] : callsOf(entry))))
    return findUntold(this.#started, known, entries)
  }

  #skip(fromEnd: number, offset: number, reason: SkipReason): void {
    this.#skippedCount += 1
    if (this.#skipped.length < maxSkipped) this.#skipped.push({ fromEnd, offset, reason })
  }

  #toSkippedLines(): readonly SkippedLine[] {
    return this.#skipped
      .toSorted((one, other) => other.fromEnd - one.fromEnd)
      .map(({ fromEnd, offset, reason }) => ({
        ...(this.isWhole && { line: this.#lineCount - fromEnd }),
        offset,
        reason,
      }))
  }
}
