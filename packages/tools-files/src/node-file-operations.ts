import { constants } from 'node:fs'
import { lstat, open, readdir, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { toFileInfo } from './file-info.ts'
import type { FileInfo, FileOperations, OpenFile } from './file-operations.ts'
import { hasCode } from './has-code.ts'
import { writeFile } from './write-file.ts'

/** The file system of this machine. */
export const nodeFileOperations: FileOperations = {
  realpath: resolveLinks,
  stat: async (path) => toFileInfo(await stat(path)),
  open: openRegularFile,
  list: (path) => readdir(path),
  write: writeFile,
}

const MAX_LINKS = 40

/** `realpath` that also resolves a dangling link, so that a write through it makes the file it points to. */
async function resolveLinks(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error
  }
  const parent = await resolveLinks(dirname(path), links)
  const target = join(parent, basename(path))
  const isLink = (await lstat(target).catch(() => undefined))?.isSymbolicLink() === true
  if (!isLink || links >= MAX_LINKS) return target
  return resolveLinks(resolve(parent, await readlink(target)), links + 1)
}

/** Looks before it opens (opening a device can have effects) and once more after (the path may have changed hands). */
async function openRegularFile(path: string): Promise<OpenFile> {
  assertFile(toFileInfo(await stat(path)), path)
  // Without O_NONBLOCK a pipe that took the place of the file would hold a thread until somebody writes.
  const handle = await open(
    path,
    constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0),
  )
  try {
    const info = toFileInfo(await handle.stat())
    assertFile(info, path)
    return {
      info,
      read: async (buffer, position) => (await handle.read(buffer, 0, buffer.length, position)).bytesRead,
      [Symbol.asyncDispose]: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function assertFile(info: FileInfo, path: string): void {
  if (info.kind === 'file') return
  throw Object.assign(new Error(`Not a regular file: ${path}`), { code: 'EINVAL' })
}
