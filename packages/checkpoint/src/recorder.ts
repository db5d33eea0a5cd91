import type { FileChange } from '@x/contract'
import { digestOf, sizeOf } from './digest.ts'
import { createHistory, digestsInUse, type History, indexOfMessage } from './history.ts'
import type { ChangeLine, IndexLine, StateBefore } from './index-line.ts'
import { missingFolders } from './make-folders.ts'
import type { CheckpointOperations } from './operations.ts'
import type { CheckpointProblem } from './problem.ts'
import { removeTemporaries } from './replace-file.ts'
import { createSerial } from './serial.ts'
import type { FileHistorySnapshotFile, FileHistorySnapshotRecord } from './snapshot-record.ts'
import { openStore, type Store } from './store.ts'

/** What a {@link Recorder} is made of. */
export interface RecorderSettings {
  readonly folder: string
  readonly maxCheckpoints: number
  readonly maxFileBytes: number
  readonly clock: () => number
  readonly log: (record: FileHistorySnapshotRecord) => Promise<void>
  readonly onProblem: (problem: CheckpointProblem) => void
  readonly operations: CheckpointOperations
}

/** How a change is recorded. */
export interface RecordOptions {
  readonly signal?: AbortSignal | undefined
  /** Set by a rewind: the message it goes back to. What it replaces is kept whether it is the first or not. */
  readonly rewindTo?: string | undefined
}

/** A recorded change. */
export interface RecordedChange {
  readonly line: ChangeLine
  /** What was there before can be brought back, after a restart too. */
  readonly isSafe: boolean
}

interface LineFacts {
  readonly number: number
  readonly before: StateBefore
  readonly rewindTo: string | undefined
}

/** Writes down what happens, one step after the other, and goes on when it cannot. */
export class Recorder {
  readonly store: Store
  readonly #settings: RecorderSettings
  readonly #serial = createSerial()
  #loaded: History | undefined
  #droppedWhenCompacted = 0

  constructor(settings: RecorderSettings) {
    this.#settings = settings
    this.store = openStore(settings.folder, settings.operations)
  }

  /** Reads the store, once. @throws CheckpointError if it cannot be read. */
  load(): Promise<History> {
    return this.#serial(() => this.#ensureLoaded())
  }

  /** From now on changes belong to this message. */
  async begin(messageId: string): Promise<void> {
    await this.#attempt(`The checkpoint of message ${messageId} could not begin.`, () =>
      this.#serial(async () => {
        const history = await this.#ensureLoaded()
        if (indexOfMessage(history.spans, messageId) !== -1) return
        const droppedBefore = history.droppedCount()
        await this.#write(history, { type: 'checkpoint', messageId, timeMs: this.#settings.clock() })
        if (history.droppedCount() > droppedBefore) await this.#tidy(history)
        await this.#log(messageId, [])
      }),
    )
  }

  /**
   * Keeps what a change replaces. `undefined` where there is nothing to keep it in: before the first message, or if the store cannot be
   * read.
   *
   * Rejects only with the signal's reason.
   */
  async record(change: FileChange, options: RecordOptions): Promise<RecordedChange | undefined> {
    return await this.#serial(async () => {
      options.signal?.throwIfAborted()
      let recorded: RecordedChange | undefined
      await this.#attempt(
        'A file is changed without a checkpoint.',
        async () => {
          recorded = await this.#keepAndWrite(change, options)
        },
        change.path,
      )
      return recorded
    })
  }

  /** Notes that a change was carried out. Never rejects. */
  async noteWritten(number: number): Promise<void> {
    await this.#serial(async () => {
      if (this.#loaded !== undefined) await this.#write(this.#loaded, { type: 'written', number })
    })
  }

  async #ensureLoaded(): Promise<History> {
    if (this.#loaded !== undefined) return this.#loaded
    const lines = await this.store.readLines()
    const history = createHistory(this.#settings.maxCheckpoints)
    for (const line of lines) history.add(line)
    this.#loaded = history
    await this.#attempt('What an interrupted rewind left behind could not be removed.', () =>
      removeTemporaries(history, this.#settings.operations),
    )
    await this.#tidy(history)
    return history
  }

  /** The copy first, then the line: a line never names a copy that is not there. */
  async #keepAndWrite(change: FileChange, { rewindTo }: RecordOptions): Promise<RecordedChange | undefined> {
    const history = await this.#ensureLoaded()
    const span = history.spans.at(-1)
    if (span === undefined) return undefined
    const isFirst = !span.paths.has(change.path)
    const before = await this.#keep(change, isFirst || rewindTo !== undefined)
    const isKept = before === null || before.copy === 'kept'
    const line = await this.#toLine(change, { number: history.nextNumber(), before, rewindTo })
    const isWritten = await this.#write(history, line)
    const file = { path: change.path, digest: before?.digest ?? null, isKept }
    if (isFirst) await this.#log(span.checkpoint.messageId, [file])
    return { line, isSafe: isWritten && isKept }
  }

  async #toLine({ path, after }: FileChange, facts: LineFacts): Promise<ChangeLine> {
    const { number, before, rewindTo } = facts
    return {
      type: 'change',
      number,
      path,
      before,
      after: after === undefined ? null : { digest: digestOf(after), sizeBytes: sizeOf(after) },
      madeFolders: before === null ? await this.#missingFolders(path) : [],
      ...(rewindTo !== undefined && { rewindTo }),
    }
  }

  async #keep({ path, before }: FileChange, isNeeded: boolean): Promise<StateBefore> {
    if (before === undefined) return null
    const { bytes, mode } = before
    const state = { digest: digestOf([bytes]), sizeBytes: bytes.length, mode }
    if (!isNeeded) return { ...state, copy: 'not-first' }
    if (bytes.length > this.#settings.maxFileBytes) return { ...state, copy: 'too-large' }
    const message = 'The content of a file could not be kept before it was changed.'
    const isKept = await this.#attempt(message, () => this.store.keep(state.digest, bytes), path)
    return { ...state, copy: isKept ? 'kept' : 'failed' }
  }

  async #missingFolders(path: string): Promise<string[]> {
    return await missingFolders(path, this.#settings.operations).catch(() => [])
  }

  async #write(history: History, line: IndexLine): Promise<boolean> {
    history.add(line)
    return await this.#attempt('A checkpoint could not be written to its index.', () =>
      this.store.append([line]),
    )
  }

  /** Lines of old checkpoints are harmless, so they go when they are as many as those that count. */
  async #tidy(history: History): Promise<void> {
    await this.#attempt('Old copies of checkpoints could not be removed.', () =>
      this.store.sweep(digestsInUse(history)),
    )
    const dropped = history.droppedCount()
    if (dropped - this.#droppedWhenCompacted < this.#settings.maxCheckpoints) return
    this.#droppedWhenCompacted = dropped
    await this.#attempt('The index of the checkpoints could not be shortened.', () =>
      this.store.rewrite(history.toLines()),
    )
  }

  async #log(messageId: string, files: readonly FileHistorySnapshotFile[]): Promise<void> {
    const timestamp = new Date(this.#settings.clock()).toISOString()
    await this.#attempt('A checkpoint could not be noted in the transcript.', () =>
      this.#settings.log({ type: 'file-history-snapshot', messageId, timestamp, files }),
    )
  }

  async #attempt(message: string, work: () => Promise<void>, path?: string): Promise<boolean> {
    try {
      await work()
      return true
    } catch (cause) {
      this.#settings.onProblem({ message, cause, ...(path !== undefined && { path }) })
      return false
    }
  }
}
