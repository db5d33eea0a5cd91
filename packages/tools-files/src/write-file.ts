import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { access, constants, type FileHandle, link, open, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isSameFile, toFileInfo } from './file-info.ts'
import type { FileInfo, WriteOptions, WriteOutcome } from './file-operations.ts'
import { hasCode } from './has-code.ts'
import { makeFolders } from './make-folders.ts'

/**
 * Writes through a temporary file beside the target that takes its place at the end.
 *
 * A file that has several names, whose folder takes no new file, or whose owner cannot be given to the new one is written in
 * place instead: to stay the same object counts more than to change in one step. Nothing is synced to the disk: a crash of the
 * process leaves the old or the new content, a power cut may leave either.
 */
export async function writeFile(
  path: string,
  content: readonly Uint8Array[],
  { expected, signal }: WriteOptions,
): Promise<WriteOutcome> {
  signal.throwIfAborted()
  if (expected === undefined) return createFile(path, content, signal)
  // Renaming over a file asks only for rights on its folder: a read-only file would be replaced silently.
  const [before] = await Promise.all([stat(path).catch(() => undefined), access(path, constants.W_OK)])
  if (before === undefined || !isSameFile(toFileInfo(before), expected)) return { type: 'changed' }
  const temporary = before.nlink > 1 ? undefined : await writeTemporary(path, content, before)
  if (temporary === undefined) return writeInPlace(path, content, signal)
  try {
    signal.throwIfAborted()
    const current = await stat(path).catch(() => undefined)
    if (current === undefined || !isSameFile(toFileInfo(current), expected)) return await drop(temporary)
    await rename(temporary.path, path)
    return { type: 'written', info: temporary.info }
  } catch (error) {
    await drop(temporary)
    throw error
  }
}

interface Temporary {
  readonly path: string
  readonly info: FileInfo
}

/** A link fails where a file has appeared meanwhile, a rename would replace it. */
async function createFile(
  path: string,
  content: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<WriteOutcome> {
  await makeFolders(dirname(path))
  const temporary = await makeTemporary(path, 0o666, (handle) => writeAll(handle, content))
  try {
    signal.throwIfAborted()
    await link(temporary.path, path)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return await drop(temporary)
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL')) throw error
    // A file system without links.
    await rename(temporary.path, path)
  } finally {
    await drop(temporary)
  }
  return { type: 'written', info: temporary.info }
}

async function writeTemporary(
  path: string,
  content: readonly Uint8Array[],
  original: Stats,
): Promise<Temporary | undefined> {
  try {
    return await makeTemporary(path, 0o600, async (handle) => {
      const own = await handle.stat()
      if (own.uid !== original.uid || own.gid !== original.gid) await handle.chown(original.uid, original.gid)
      await writeAll(handle, content)
      // After the owner, because a change of owner takes special bits away.
      await handle.chmod(original.mode & 0o7777)
    })
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG')) return undefined
    throw error
  }
}

async function makeTemporary(
  path: string,
  mode: number,
  fill: (handle: FileHandle) => Promise<void>,
): Promise<Temporary> {
  // Cut, because the name of the target may already be as long as names can be.
  const name = `.${basename(path).slice(0, 50)}.${randomBytes(6).toString('hex')}.tmp`
  const temporaryPath = join(dirname(path), name)
  const handle = await open(temporaryPath, 'wx', mode)
  try {
    await fill(handle)
    return { path: temporaryPath, info: toFileInfo(await handle.stat()) }
  } catch (error) {
    await unlink(temporaryPath).catch(() => {})
    throw error
  } finally {
    await handle.close()
  }
}

/** Gone already after a rename. */
async function drop(temporary: Temporary): Promise<WriteOutcome> {
  await unlink(temporary.path).catch(() => {})
  return { type: 'changed' }
}

async function writeInPlace(
  path: string,
  content: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<WriteOutcome> {
  signal.throwIfAborted()
  await using handle = await open(path, 'r+')
  await writeAll(handle, content)
  await handle.truncate(content.reduce((total, part) => total + part.length, 0))
  return { type: 'written', info: toFileInfo(await handle.stat()) }
}

/** One call for all pieces where the system takes them all, as it nearly always does. */
async function writeAll(handle: FileHandle, content: readonly Uint8Array[]): Promise<void> {
  const pieces = content.filter((piece) => piece.length > 0)
  if (pieces.length === 0) return
  const { bytesWritten } = await handle.writev(pieces)
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (bytesWritten < total) await handle.writeFile(Buffer.concat(pieces).subarray(bytesWritten))
}
