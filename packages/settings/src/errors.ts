/** What went wrong. */
export type SettingsErrorCode =
  | 'flag-settings-unreadable'
  | 'flag-settings-too-large'
  | 'flag-settings-invalid'
  | 'file-unparsable'
  | 'file-unreadable'
  | 'edit-impossible'
  | 'file-locked'
  | 'write-failed'

const brand = Symbol.for('@x/settings.SettingsError')

/** Settings that were asked for by name cannot be read, or a file cannot be changed as asked. The message says what to do. */
export class SettingsError extends Error {
  /** Tells it from other errors in logs. */
  override readonly name = 'SettingsError'
  /** What went wrong. */
  readonly code: SettingsErrorCode
  /** The file it is about; nothing for text on the command line. */
  readonly file: string | undefined

  constructor(code: SettingsErrorCode, message: string, facts: SettingsErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = code
    this.file = facts.file
    Object.defineProperty(this, brand, { value: true })
  }
}

/** What a {@link SettingsError} knows beside its message. */
export interface SettingsErrorFacts {
  /** The file it is about. */
  readonly file?: string
  /** The error below. */
  readonly cause?: unknown
}

/** Tells whether a value is a {@link SettingsError}, also one of another installed copy of this package. */
export function isSettingsError(value: unknown): value is SettingsError {
  return value instanceof Error && brand in value
}

/** The `code` of an error of the file system, such as `ENOENT`. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
