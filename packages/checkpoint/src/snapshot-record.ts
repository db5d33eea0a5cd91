/** The metadata record for the transcript: which copies belong to which message. The store does not need it. */
export interface FileHistorySnapshotRecord {
  /** Its kind. */
  readonly type: 'file-history-snapshot'
  /** The message that the checkpoint belongs to. */
  readonly messageId: string
  /** When, in ISO 8601. */
  readonly timestamp: string
  /** Files changed for the first time since the message; empty when the checkpoint begins. */
  readonly files: readonly FileHistorySnapshotFile[]
}

/** One file in a {@link FileHistorySnapshotRecord}. */
export interface FileHistorySnapshotFile {
  /** Absolute real path. */
  readonly path: string
  /** SHA-256 of what it was; `null`: there was no file. */
  readonly digest: string | null
  /** It can be brought back: there is a copy, or there was no file. */
  readonly isKept: boolean
}
