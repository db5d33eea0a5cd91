import { constants, open } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { systemCodeOf } from './errors.ts'

/** The largest settings file that is read: 2 MiB. */
export const maxSettingsBytes = 2 * 1024 * 1024

/** What was found at a path. */
export type BoundedRead =
  | { readonly kind: 'text'; readonly text: string; readonly encoding: TextEncodingFacts }
  | Exclude<BytesRead, { kind: 'bytes' }>

/** The same before anybody takes it for text. */
export type BytesRead =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'absent' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'not-regular' }
  | { readonly kind: 'unreadable'; readonly cause: unknown }

/** What the bytes were, apart from their text. */
interface TextEncodingFacts {
  /** A byte order mark stood in front; it is not in the text. */
  readonly hasMark: boolean
  /** The bytes were UTF-8 without any faults, so that the text can be written back. */
  readonly isCleanUtf8: boolean
}

/** Reads a small regular file as text. Never throws, and never waits for a pipe or device. */
export async function readBounded(path: string): Promise<BoundedRead> {
  const found = await readBytes(path, maxSettingsBytes)
  return found.kind === 'bytes' ? { kind: 'text', ...decode(found.bytes) } : found
}

/** Reads a regular file of at most so many bytes. Never throws, and never waits for a pipe or device. */
export async function readBytes(path: string, maxBytes: number): Promise<BytesRead> {
  try {
    // Without O_NONBLOCK the opening of a named pipe waits for somebody to write to it.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    if (!(await file.stat()).isFile()) return { kind: 'not-regular' }
    // The size that `stat` tells may be wrong by the time of reading, so that only the bytes count; one too many is enough.
    const bytes = await buffer(file.createReadStream({ end: maxBytes }))
    return bytes.length > maxBytes ? { kind: 'too-large' } : { kind: 'bytes', bytes }
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' }
    if (code === 'EISDIR' || code === 'ENXIO') return { kind: 'not-regular' }
    return { kind: 'unreadable', cause: error }
  }
}

function decode(bytes: Buffer): { text: string; encoding: TextEncodingFacts } {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined
  const encoding = wide ?? (bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8')
  const text = new TextDecoder(encoding).decode(bytes)
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const isCleanUtf8 = encoding === 'utf-8' && !(text.includes('\uFFFD') && isDamagedUtf8(bytes))
  return { text, encoding: { hasMark, isCleanUtf8 } }
}

function isDamagedUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return false
  } catch {
    return true
  }
}
