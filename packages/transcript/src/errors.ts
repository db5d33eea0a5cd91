/**
 * What went wrong.
 *
 * - `in-use`: another writer has the session; `pid` says which process.
 * - `closed`: the transcript was closed before.
 * - `not-found`: no such session, or no such record in it.
 * - `ambiguous`: several sessions answer to the name.
 * - `invalid-id`: not a name that may become a file name.
 * - `unreadable`: the file exists and cannot be read.
 * - `write-failed`: the disk did not take the record; what was written before stands.
 */
export type TranscriptErrorCode =
  | 'in-use'
  | 'closed'
  | 'not-found'
  | 'ambiguous'
  | 'invalid-id'
  | 'unreadable'
  | 'write-failed'

const brand = Symbol.for('@x/transcript.TranscriptError')

/** What a {@link TranscriptError} knows beside its message. */
export interface TranscriptErrorFacts {
  /** The file it is about. */
  readonly file?: string
  /** The process that holds the session. */
  readonly pid?: number
  /** The error below. */
  readonly cause?: unknown
}

/** A conversation cannot be opened, found or written. The message says what to do. */
export class TranscriptError extends Error {
  /** Tells it from other errors in logs. */
  override readonly name = 'TranscriptError'
  /** What went wrong. */
  readonly code: TranscriptErrorCode
  /** The file it is about, if there is one. */
  readonly file: string | undefined
  /** The process that holds the session; with `in-use`. */
  readonly pid: number | undefined

  constructor(code: TranscriptErrorCode, message: string, facts: TranscriptErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = code
    this.file = facts.file
    this.pid = facts.pid
    Object.defineProperty(this, brand, { value: true })
  }
}

/** Tells whether a value is a {@link TranscriptError}, also one of another installed copy of this package. */
export function isTranscriptError(value: unknown): value is TranscriptError {
  return value instanceof Error && brand in value
}

/** The `code` of an error of the file system, such as `ENOENT`. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** What an error below says, for people. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
