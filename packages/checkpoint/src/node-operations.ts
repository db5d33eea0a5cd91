import { constants, type Stats } from 'node:fs'
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rmdir,
  unlink,
} from 'node:fs/promises'
import { hasCode } from './errors.ts'
import type { CheckpointOperations, CreateOptions, FileFacts } from './operations.ts'

/** The file system of this machine. */
export const nodeOperations: CheckpointOperations = {
  stat: lookAt,
  realpath: (path) => realpath(path),
  read: readRegularFile,
  create: createFile,
  append: appendText,
  rename,
  remove: unlink,
  list: listNames,
  makeFolder,
  removeFolder: rmdir,
}

async function lookAt(path: string): Promise<FileFacts | undefined> {
  try {
    return toFacts(await lstat(path))
  } catch (error) {
    // ENOTDIR: a file took the place of a folder above.
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

function toFacts(stats: Stats): FileFacts {
  return {
    kind: kindOf(stats),
    sizeBytes: stats.size,
    mode: stats.mode & 0o7777,
    linkCount: stats.nlink,
    version: [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(':'),
    owner: { uid: stats.uid, gid: stats.gid },
  }
}

function kindOf(stats: Stats): FileFacts['kind'] {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'directory'
  return stats.isSymbolicLink() ? 'link' : 'other'
}

async function readRegularFile(path: string): Promise<Uint8Array> {
  // Without O_NONBLOCK a pipe that took the place of the file would hold a thread until somebody writes.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  await using handle = await open(path, flags)
  if (!(await handle.stat()).isFile()) {
    throw Object.assign(new Error(`Not a regular file: ${path}`), { code: 'EINVAL' })
  }
  return await handle.readFile()
}

async function createFile(path: string, bytes: Uint8Array, { mode, owner }: CreateOptions): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await fill(handle, bytes, { mode, ...(owner !== undefined && { owner }) })
  } catch (error) {
    await unlink(path).catch(() => {})
    throw error
  } finally {
    await handle.close()
  }
}

async function fill(handle: FileHandle, bytes: Uint8Array, { mode, owner }: CreateOptions): Promise<void> {
  await handle.writeFile(bytes)
  const { uid, gid } = await handle.stat()
  if (owner !== undefined && (uid !== owner.uid || gid !== owner.gid))
    await handle.chown(owner.uid, owner.gid)
  // After the owner, because a change of owner takes special bits away.
  await handle.chmod(mode)
}

async function appendText(path: string, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  await using handle = await open(path, 'a', 0o600)
  const { bytesWritten } = await handle.write(bytes)
  if (bytesWritten < bytes.length)
    throw new Error(`Only ${bytesWritten} of ${bytes.length} bytes fitted in ${path}`)
}

async function listNames(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

async function makeFolder(path: string, { mode = 0o777 }: { readonly mode?: number } = {}): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    // Something may stand there that is no folder: then the next step says so.
    if (!hasCode(error, 'EEXIST')) throw error
  }
}
