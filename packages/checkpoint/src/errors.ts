/** What went wrong. */
export type CheckpointErrorCode = 'store-unreadable'

const brand = Symbol.for('@x/checkpoint.CheckpointError')

/** The store of the checkpoints cannot be used. The message says what to do. */
export class CheckpointError extends Error {
  /** Tells it from other errors in logs. */
  override readonly name = 'CheckpointError'
  /** What went wrong. */
  readonly code: CheckpointErrorCode
  /** The file or folder it is about. */
  readonly path: string

  constructor(code: CheckpointErrorCode, message: string, facts: CheckpointErrorFacts) {
    super(message, { cause: facts.cause })
    this.code = code
    this.path = facts.path
    Object.defineProperty(this, brand, { value: true })
  }
}

/** What a {@link CheckpointError} knows beside its message. */
export interface CheckpointErrorFacts {
  /** The file or folder it is about. */
  readonly path: string
  /** The error below. */
  readonly cause: unknown
}

/** Tells whether a value is a {@link CheckpointError}, also one of another installed copy of this package. */
export function isCheckpointError(value: unknown): value is CheckpointError {
  return value instanceof Error && brand in value
}

/** Whether a caught value is an error with one of these codes of Node's. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}
