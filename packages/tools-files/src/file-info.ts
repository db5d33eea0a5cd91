import type { Stats } from 'node:fs'
import type { FileInfo } from './file-operations.ts'

/** Maps Node's answer to ours. */
export function toFileInfo(stats: Stats): FileInfo {
  return {
    kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other',
    sizeBytes: stats.size,
    mtimeMs: stats.mtimeMs,
    mode: stats.mode & 0o7777,
    identity: `${stats.dev}:${stats.ino}`,
  }
}

/** Whether both describe the same object with, as far as one can tell without reading it, the same content. */
export function isSameFile(left: FileInfo, right: FileInfo): boolean {
  return (
    left.kind === right.kind &&
    left.mtimeMs === right.mtimeMs &&
    left.sizeBytes === right.sizeBytes &&
    left.identity === right.identity
  )
}
