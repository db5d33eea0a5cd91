import { isUtf8 } from 'node:buffer'
import { isObject, type TranscriptRecord } from './record.ts'

/**
 * Why a line was left out.
 *
 * - `torn`: the last line, cut off by a crash.
 * - `not-json`: half a line, or no JSON at all.
 * - `not-utf8`: bytes that are no text.
 * - `nul`: bytes that the system never filled, as after a power failure.
 * - `empty`: nothing in it.
 * - `too-large`: more than 256 MiB.
 * - `foreign`: JSON, but no record, or one without the fields of its type.
 * - `double`: a record whose `uuid` stands earlier in the file.
 */
export type SkipReason =
  | 'torn'
  | 'not-json'
  | 'not-utf8'
  | 'nul'
  | 'empty'
  | 'too-large'
  | 'foreign'
  | 'double'

/** The bytes of one line, without its end. */
export interface RawLine {
  /** Its bytes; absent where there are too many of them. */
  readonly bytes?: Buffer
  /** Where it begins in the file. */
  readonly offset: number
  /** A newline stands behind it. */
  readonly isEnded: boolean
}

/** What a line holds. */
export type ParsedLine =
  | { readonly kind: 'record'; readonly record: TranscriptRecord }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }

/** The longest line that is read: 256 MiB. */
export const maxLineBytes = 256 * 1024 * 1024

/** Reads one line. Never throws. NUL bytes and byte order marks before a record are passed over. */
export function parseLine({ bytes, isEnded }: RawLine): ParsedLine {
  if (bytes === undefined) return skipped('too-large')
  const start = skipFiller(bytes)
  const body = bytes.subarray(start)
  if (isBlank(body)) return skipped(start > 0 && bytes[0] === 0 ? 'nul' : 'empty')
  if (!isUtf8(body)) return skipped(isEnded ? 'not-utf8' : 'torn')
  const value = parseJson(body)
  if (value === undefined) return skipped(isEnded ? 'not-json' : 'torn')
  return isRecord(value) ? { kind: 'record', record: value } : skipped('foreign')
}

const [nul, carriageReturn, space] = [0, 0x0d, 0x20]

function skipFiller(bytes: Buffer): number {
  let start = 0
  while (bytes[start] === nul) start += 1
  const hasMark = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf
  return hasMark ? start + 3 : start
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length < 64 && bytes.every((byte) => byte === carriageReturn || byte === space)
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is TranscriptRecord {
  return isObject(value) && typeof value['type'] === 'string'
}

function skipped(reason: SkipReason): ParsedLine {
  return { kind: 'skipped', reason }
}
