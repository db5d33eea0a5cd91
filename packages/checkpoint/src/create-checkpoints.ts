import { type FileHistory, withoutUndefined } from '@x/contract'
import { nodeOperations } from './node-operations.ts'
import type { CheckpointOperations } from './operations.ts'
import type { CheckpointProblem } from './problem.ts'
import { Recorder } from './recorder.ts'
import { type RewindRequest, rewindFiles } from './rewind-files.ts'
import type { RewindOutcome } from './rewind-outcome.ts'
import { createSerial } from './serial.ts'
import type { FileHistorySnapshotRecord } from './snapshot-record.ts'

/** Settings of {@link createCheckpoints}. */
export interface CheckpointsOptions {
  /** Absolute path of the store, `<state>/file-history/<session-id>` say; made when it is needed. One user at a time. */
  readonly folder: string
  /** How many checkpoints are kept; the oldest go, with the copies that only they need. @default 100 */
  readonly maxCheckpoints?: number
  /** Largest content that is kept, in bytes. A larger file is named by a rewind and left alone. @default 67_108_864 (64 MiB) */
  readonly maxFileBytes?: number
  /** Whether a rewind may touch a file (an absolute real path); others are skipped with a warning. Must not throw. @default every file */
  readonly isInProject?: (path: string) => boolean
  /** Milliseconds since 1970. @default Date.now */
  readonly clock?: () => number
  /** Takes the metadata records for the transcript, and is awaited. A rejection is reported as a problem. @default nothing */
  readonly log?: (record: FileHistorySnapshotRecord) => Promise<void>
  /** Told what could not be kept or tidied; the change went on all the same. Must not throw. @default nothing */
  readonly onProblem?: (problem: CheckpointProblem) => void
  /** The file system, for the files and for the store. @default that of this machine, through `node:fs` */
  readonly operations?: CheckpointOperations
}

/** A checkpoint that can be rewound to. */
export interface CheckpointInfo {
  /** The message that began it. */
  readonly messageId: string
  /** When, in milliseconds since 1970. */
  readonly timeMs: number
  /** Absolute real paths of the files changed until the next one, in order. */
  readonly paths: readonly string[]
}

/** Settings of {@link Checkpoints.rewind}. */
export interface RewindOptions {
  /** Say what would be done, and do nothing. @default false */
  readonly dryRun?: boolean
  /** Overwrite what somebody else has changed since, after a copy of it was kept. @default false */
  readonly overwriteUserChanges?: boolean
  /** Stops between two files; a rewind that was stopped can be repeated. */
  readonly signal?: AbortSignal
}

/** The checkpoints of one session. */
export interface Checkpoints {
  /** For `ToolUseContext.fileHistory`. Never stops a change, but for an abort: what could not be kept is a problem and goes on. */
  readonly fileHistory: FileHistory
  /**
   * Begins the checkpoint of a message: called for each prompt, before anything is changed. A message that is known already changes nothing.
   *
   * Never rejects: what goes wrong is a problem.
   *
   * @throws TypeError if `messageId` is empty.
   */
  begin(messageId: string): Promise<void>
  /** The checkpoints, the oldest first. Rejects as `load` does. */
  list(): Promise<readonly CheckpointInfo[]>
  /** What {@link Checkpoints.rewind} would do. */
  diff(messageId: string, options?: Omit<RewindOptions, 'dryRun'>): Promise<RewindOutcome>
  /**
   * Brings every file that tools have changed since a message began back to what it was before the first of these changes.
   *
   * What somebody else has changed since is named and left alone. Waits for a rewind that is under way. Rejects as `load` does, and with
   * `signal.reason` after an abort.
   */
  rewind(messageId: string, options?: RewindOptions): Promise<RewindOutcome>
  /**
   * Reads the store of an earlier process, and tidies up after it. Anything else does so too when it comes first.
   *
   * @throws CheckpointError with code `store-unreadable`.
   */
  load(): Promise<void>
}

/**
 * Keeps what files were before tools changed them, and brings them back to any message.
 *
 * @throws RangeError if `maxCheckpoints` is not a positive integer or `maxFileBytes` is negative.
 *
 * @example
 * const checkpoints = createCheckpoints({ folder })
 * await checkpoints.begin(messageId)
 * const context = createToolUseContext({ cwd, fileHistory: checkpoints.fileHistory })
 */
export function createCheckpoints(options: CheckpointsOptions): Checkpoints {
  const settings = resolveOptions(options)
  const recorder = new Recorder(settings)
  const oneRewind = createSerial()
  const run = async (messageId: string, options: RewindOptions): Promise<RewindOutcome> => {
    const { dryRun = false, overwriteUserChanges = false, signal } = options
    const request: RewindRequest = { messageId, dryRun, overwriteUserChanges, signal }
    signal?.throwIfAborted()
    return await oneRewind(() => rewindFiles(request, { ...settings, recorder }))
  }
  return {
    fileHistory: createFileHistory(recorder),
    begin: async (messageId) => {
      if (messageId === '') throw new TypeError('messageId must name a message, got an empty text')
      await recorder.begin(messageId)
    },
    list: async () => {
      const { spans } = await recorder.load()
      return spans.map(({ checkpoint: { messageId, timeMs }, paths }) => ({
        messageId,
        timeMs,
        paths: [...paths],
      }))
    },
    diff: (messageId, options = {}) => run(messageId, { ...options, dryRun: true }),
    rewind: (messageId, options = {}) => run(messageId, options),
    load: async () => {
      await recorder.load()
    },
  }
}

type CheckpointSettings = Required<CheckpointsOptions>

const DEFAULTS: Omit<CheckpointSettings, 'folder'> = {
  maxCheckpoints: 100,
  maxFileBytes: 64 * 1024 * 1024,
  isInProject: () => true,
  clock: Date.now,
  log: async () => {},
  onProblem: () => {},
  operations: nodeOperations,
}

function resolveOptions(options: CheckpointsOptions): CheckpointSettings {
  const settings = { ...DEFAULTS, ...withoutUndefined(options) }
  const { maxCheckpoints, maxFileBytes } = settings
  if (!Number.isInteger(maxCheckpoints) || maxCheckpoints < 1)
    throw new RangeError(`maxCheckpoints must be a positive integer, got ${maxCheckpoints}`)
  if (!(maxFileBytes >= 0)) throw new RangeError(`maxFileBytes must not be negative, got ${maxFileBytes}`)
  return settings
}

function createFileHistory(recorder: Recorder): FileHistory {
  return {
    beforeChange: async (change, { signal } = {}) => {
      const recorded = await recorder.record(change, { signal })
      return async () => {
        if (recorded !== undefined) await recorder.noteWritten(recorded.line.number)
      }
    },
  }
}
