import { Buffer } from 'node:buffer'
import type { FileInfo, FileOperations, OpenFile } from './file-operations.ts'
import { hasCode } from './has-code.ts'

const CHUNK_BYTES = 256 * 1024

/**
 * Yields the bytes of an open file from the start, in one buffer that is used again: take what you keep.
 *
 * Chunks are full up to the last one. Goes on to the real end, whatever size the file claims.
 */
export async function* readChunks(file: OpenFile, signal: AbortSignal): AsyncGenerator<Buffer, void> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  for (let position = 0; ; position += buffer.length) {
    signal.throwIfAborted()
    const length = await fill(file, buffer, position)
    if (length > 0) yield buffer.subarray(0, length)
    if (length < buffer.length) return
  }
}

/** A file's bytes, and what it was when they were read. */
export interface LoadedFile {
  readonly bytes: Buffer
  readonly info: FileInfo
}

/** Loads a file whole. Rejects when it is larger than `maxBytes`, before loading it where the size is known. */
export async function loadFile(
  file: OpenFile,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<LoadedFile> {
  if (file.info.sizeBytes > maxBytes) throw tooLarge(file.info.sizeBytes, maxBytes)
  signal.throwIfAborted()
  if (file.info.sizeBytes > 0) {
    const buffer = Buffer.allocUnsafe(file.info.sizeBytes)
    return { bytes: buffer.subarray(0, await fill(file, buffer, 0)), info: file.info }
  }
  // Empty, or one of those system files that do not know their size.
  const parts: Buffer[] = []
  let total = 0
  for await (const chunk of readChunks(file, signal)) {
    total += chunk.length
    if (total > maxBytes) throw tooLarge(total, maxBytes)
    parts.push(Buffer.from(chunk))
  }
  return { bytes: Buffer.concat(parts), info: file.info }
}

/** Opens and loads a file for a change; `undefined` where there is none. */
export async function loadIfPresent(
  operations: FileOperations,
  path: string,
  options: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<LoadedFile | undefined> {
  const file = await openIfPresent(operations, path)
  if (file === undefined) return undefined
  await using open = file
  return await loadFile(open, options)
}

async function openIfPresent(operations: FileOperations, path: string): Promise<OpenFile | undefined> {
  try {
    return await operations.open(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

async function fill(file: OpenFile, buffer: Buffer, position: number): Promise<number> {
  let length = 0
  while (length < buffer.length) {
    const count = await file.read(buffer.subarray(length), position + length)
    if (count === 0) break
    length += count
  }
  return length
}

function tooLarge(size: number, limit: number): Error {
  return new Error(`The file has ${size} bytes, more than the ${limit} that are loaded at once.`)
}
