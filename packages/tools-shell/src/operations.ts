import { mkdir, mkdtemp, open, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ProcessHandle, type ProcessOptions, startProcess } from '@x/process'

/** What the tool needs to know of a file or folder. */
export interface PathInfo {
  /** Whether it is a folder. */
  readonly isFolder: boolean
  /** Size in bytes. */
  readonly sizeBytes: number
  /** Modification time, in milliseconds since the epoch. */
  readonly mtimeMs: number
}

/** The outside of the tool: processes, and the files of their output. Bring your own to run commands elsewhere. */
export interface BashOperations {
  /** Starts a process whose output grows in a file. Must not throw for a missing program or folder. */
  start(command: string, args: readonly string[], options: ProcessOptions): ProcessHandle
  /** Makes a folder and its parents, for its owner only; one that is there is fine. */
  makeFolder(path: string): Promise<void>
  /** Makes a new temporary folder for its owner only, and returns its path. */
  makeTemporaryFolder(): Promise<string>
  /** Tells about a path, links followed; `undefined` when nothing is there. */
  look(path: string): Promise<PathInfo | undefined>
  /** The path with every link resolved; `undefined` when nothing is there. */
  realPath(path: string): Promise<string | undefined>
  /** Reads `maxBytes` of a file from `position`; fewer at its end. */
  readRange(path: string, position: number, maxBytes: number): Promise<Uint8Array>
  /** Reads a small file; `undefined` when it is not there. */
  readText(path: string): Promise<string | undefined>
  /** Writes a file for its owner only. */
  writeText(path: string, text: string): Promise<void>
  /** Removes a file; one that is not there is fine. */
  remove(path: string): Promise<void>
}

/** This machine. */
export const nodeBashOperations: BashOperations = {
  start: startProcess,
  makeFolder: async (path) => void (await mkdir(path, { recursive: true, mode: 0o700 })),
  makeTemporaryFolder: () => mkdtemp(join(tmpdir(), 'x-shell-')),
  look: (path) =>
    stat(path).then(
      (found) => ({ isFolder: found.isDirectory(), sizeBytes: found.size, mtimeMs: found.mtimeMs }),
      () => undefined,
    ),
  realPath: (path) => realpath(path).catch(() => undefined),
  async readRange(path, position, maxBytes) {
    await using file = await open(path, 'r')
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(maxBytes), 0, maxBytes, position)
    return buffer.subarray(0, bytesRead)
  },
  readText: (path) => readFile(path, 'utf8').catch(() => undefined),
  writeText: (path, text) => writeFile(path, text, { mode: 0o600 }),
  remove: (path) => rm(path, { force: true }).catch(() => undefined),
}
