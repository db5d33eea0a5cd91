/** What a path leads to. */
export interface FileInfo {
  /** Only a `file` is ever opened; `other` is a device, a pipe or a socket. */
  readonly kind: 'file' | 'directory' | 'other'
  /** Size in bytes. Some system files say 0 and hold content all the same. */
  readonly sizeBytes: number
  /** Time of the last change, in milliseconds. */
  readonly mtimeMs: number
  /** Permission bits, as in `chmod`. */
  readonly mode: number
  /** Names the object behind the path (device and inode, say); absent where there is no such thing. */
  readonly identity?: string
}

/** A regular file, open for reading. */
export interface OpenFile extends AsyncDisposable {
  /** Taken from the open file, not from its path. */
  readonly info: FileInfo
  /** Fills `buffer` from the byte at `position` on; resolves with the number of bytes read, 0 at the end. */
  read(buffer: Uint8Array, position: number): Promise<number>
}

/** How the new content of a file gets to disk. */
export interface WriteOptions {
  /** What was there when the content was made; `undefined`: nothing. */
  readonly expected: FileInfo | undefined
  /** Stops before anything is visible; once the new content is in place it stays. */
  readonly signal: AbortSignal
}

/** What a write came to. `changed`: the file was no longer the expected one, and nothing was written. */
export type WriteOutcome =
  | {
      /** The new content is in place. */
      readonly type: 'written'
      /** The file as it is now. */
      readonly info: FileInfo
    }
  | {
      /** Somebody else was quicker. */
      readonly type: 'changed'
    }

/**
 * The file system as these tools see it. Paths are absolute.
 *
 * Failures reject with an error whose `code` is Node's (`ENOENT`, `EACCES`, ...).
 */
export interface FileOperations {
  /** Follows every link. Parts that do not exist yet are kept as they are. */
  realpath(path: string): Promise<string>
  /** Never opens the file, so it cannot block. */
  stat(path: string): Promise<FileInfo>
  /** Opens a regular file; rejects with code `EINVAL` for anything else, without waiting for it. */
  open(path: string): Promise<OpenFile>
  /** Names in a folder, in any order. */
  list(path: string): Promise<readonly string[]>
  /**
   * Puts `content` in place of the file in one step, or makes the file and its folders. Keeps mode and owner, and the
   * file is never readable by more people on the way. Compares with `expected` as late as it can.
   */
  write(path: string, content: readonly Uint8Array[], options: WriteOptions): Promise<WriteOutcome>
}
