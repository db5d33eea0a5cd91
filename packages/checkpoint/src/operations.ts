/** What stands at a path. */
export interface FileFacts {
  /** `link` is a symbolic link, `other` a device, a pipe or a socket. */
  readonly kind: 'file' | 'directory' | 'link' | 'other'
  /** Size in bytes. */
  readonly sizeBytes: number
  /** Permission bits, as in `chmod`. */
  readonly mode: number
  /** How many names the file has; more than one is a hard link. */
  readonly linkCount: number
  /** Differs whenever the file was changed or another one stands at the path. */
  readonly version: string
  /** User and group. */
  readonly owner: FileOwner
}

/** User and group of a file. */
export interface FileOwner {
  /** Number of the user. */
  readonly uid: number
  /** Number of the group. */
  readonly gid: number
}

/** How a file is made. */
export interface CreateOptions {
  /** Permission bits; more people may never read it on the way. */
  readonly mode: number
  /** User and group, where they are not those of this process. */
  readonly owner?: FileOwner
}

/**
 * The file system as checkpoints see it, for the project's files and for the store. Paths are absolute.
 *
 * Failures reject with an error whose `code` is Node's (`ENOENT`, `EACCES`, ...).
 */
export interface CheckpointOperations {
  /** Looks at the path itself: follows no link and opens nothing. `undefined`: there is nothing. */
  stat(path: string): Promise<FileFacts | undefined>
  /** Resolves every link of an existing path. */
  realpath(path: string): Promise<string>
  /** Reads a regular file whole; rejects for a link or anything else, without waiting for it. */
  read(path: string): Promise<Uint8Array>
  /** Makes a new file; rejects with `EEXIST` if something stands there. */
  create(path: string, bytes: Uint8Array, options: CreateOptions): Promise<void>
  /** Appends to a file in one write; makes it, readable by its owner only. */
  append(path: string, text: string): Promise<void>
  /** Puts a file in another's place in one step. */
  rename(from: string, to: string): Promise<void>
  /** Removes a file. */
  remove(path: string): Promise<void>
  /** Names in a folder; none where there is no folder. */
  list(path: string): Promise<readonly string[]>
  /** Makes a folder in an existing one; one that is there is fine. */
  makeFolder(path: string, options?: { readonly mode?: number }): Promise<void>
  /** Removes a folder; rejects unless it is empty. */
  removeFolder(path: string): Promise<void>
}
