import { constants, open, realpath } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'

/** The largest instruction file that is read: 256 KiB. */
const maxFileBytes = 256 * 1024

/** What was found at a path. */
export type TextRead =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | SkippedRead

/** A file that is there and is not read, and why in words. */
export interface SkippedRead {
  readonly kind: 'unreadable' | 'not-regular' | 'too-large' | 'binary'
  readonly why: string
}

/** Reads a whole small text file. Never throws, and never waits for a pipe or device. */
export async function readText(path: string): Promise<TextRead> {
  const read = await readStart(path, maxFileBytes + 1)
  if (read.kind !== 'bytes') return read
  if (read.bytes.length > maxFileBytes) return { kind: 'too-large', why: 'is larger than 256 KiB' }
  return toText(read.bytes)
}

/** Reads the first bytes of a regular file. */
export async function readStart(
  path: string,
  limit: number,
): Promise<{ readonly kind: 'bytes'; readonly bytes: Buffer } | { readonly kind: 'absent' } | SkippedRead> {
  try {
    // Without O_NONBLOCK the opening of a named pipe waits for somebody to write to it.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    if (!(await file.stat()).isFile()) return notRegular
    // The size that `stat` tells may be wrong by the time of reading, so that only the bytes count.
    return { kind: 'bytes', bytes: await buffer(file.createReadStream({ end: limit - 1 })) }
  } catch (error) {
    return judgeError(error)
  }
}

/** The real path, or what is wrong with it. Never throws. */
export async function findRealPath(
  path: string,
): Promise<
  { readonly kind: 'found'; readonly realPath: string } | { readonly kind: 'absent' } | SkippedRead
> {
  try {
    return { kind: 'found', realPath: await realpath(path) }
  } catch (error) {
    return judgeError(error)
  }
}

/** Text in UTF-8, or in UTF-16 with a byte order mark; faults are replaced, marks removed, line ends made one. */
export function toText(bytes: Buffer): TextRead {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (!isWide && bytes.includes(0)) return { kind: 'binary', why: 'is not text' }
  const encoding = isWide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
  const text = new TextDecoder(encoding).decode(bytes)
  return { kind: 'text', text: text.replaceAll(/\r\n?/g, '\n') }
}

/** In words, for a sentence that begins with the file. */
export function describeError(error: unknown): string {
  return `cannot be read (${systemCodeOf(error) ?? String(error)})`
}

const notRegular: SkippedRead = { kind: 'not-regular', why: 'is not a regular file' }

function judgeError(error: unknown): { readonly kind: 'absent' } | SkippedRead {
  const code = systemCodeOf(error)
  // A text that was taken for a path may hold anything.
  if (
    code === 'ENOENT' ||
    code === 'ENOTDIR' ||
    code === 'ENAMETOOLONG' ||
    code === 'ERR_INVALID_ARG_VALUE'
  ) {
    return { kind: 'absent' }
  }
  if (code === 'EISDIR' || code === 'ENXIO') return notRegular
  return { kind: 'unreadable', why: describeError(error) }
}

/** The `code` of an error of the file system, such as `ENOENT`. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
