/**
 * Keeps what files were before tools change them, so that they can be brought back.
 *
 * A tool that changes files asks it for every change. It is told what the tool has read and will write instead of looking itself: so it
 * works for files of another machine too, and knows later what was the tool's doing and what somebody else's.
 */
export interface FileHistory {
  /**
   * Called after the last check and before the first byte is written; the tool waits for it. Resolves with a function that the tool calls
   * once the new content is in place, and never if it is not.
   *
   * A rejection stops the change, and the tool's call fails with it. So an implementation rejects with `signal.reason` after an abort, and
   * otherwise only if its host would rather lose the change than the way back; `@x/checkpoint` reports what it could not keep and goes on.
   */
  beforeChange(change: FileChange, options?: { readonly signal?: AbortSignal }): Promise<NoteWritten>
}

/** Tells a {@link FileHistory} that the new content is in place. May be slow, never rejects. */
export type NoteWritten = () => Promise<void>

/** One change of a file that a tool is about to make. */
export interface FileChange {
  /** Absolute real path: every link in it is resolved. */
  readonly path: string
  /** The file the change was made from, which the tool makes sure is still there; `undefined`: there is none. */
  readonly before: FileContent | undefined
  /** The pieces of the new content, in order; `undefined`: the file is removed. */
  readonly after: readonly Uint8Array[] | undefined
}

/** A file as it was read. */
export interface FileContent {
  /** All of its bytes. Only read, never changed or kept beyond the call. */
  readonly bytes: Uint8Array
  /** Permission bits, as in `chmod`. */
  readonly mode: number
}
