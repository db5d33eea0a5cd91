import { Buffer, isUtf8 } from 'node:buffer'
import { toBuffer } from './to-buffer.ts'

/** How the bytes of one file become text and back. */
export interface TextCodec {
  /** For messages. */
  readonly name: string
  /** The byte-order mark at the start of the file; often empty. */
  readonly mark: Uint8Array
  /** Size of the smallest unit; a character begins at a multiple of it. */
  readonly unitBytes: 1 | 2
  /** The bytes of a line feed. */
  readonly lineFeed: Uint8Array
  /** A piece of text can be found by its bytes alone. Not so where a byte may be the second half of one character or all of another. */
  readonly isSearchable: boolean
  /** Never fails: what is no text becomes U+FFFD. */
  decode(bytes: Uint8Array): string
  /** `undefined` if the encoding cannot hold the text. */
  encode(text: string): Buffer | undefined
}

/** The encoding of new files. */
export const utf8: TextCodec = utf8Codec(Buffer.of())

/** UTF-16 as JavaScript holds strings, without a mark. */
export const utf16: TextCodec = utf16Codec('UTF-16LE', Buffer.of())

/**
 * Finds out the encoding: a byte-order mark decides; else the pattern of NUL bytes (UTF-16); else valid UTF-8; else a guess.
 *
 * `sample` is the beginning of the file, `isWhole` says that nothing follows.
 */
export async function detectCodec(sample: Buffer, isWhole: boolean): Promise<TextCodec> {
  const marked = codecByMark(sample)
  if (marked !== undefined) return marked
  const wide = utf16ByNulBytes(sample)
  if (wide !== undefined) return wide
  if (isUtf8(isWhole ? sample : withoutCutCharacter(sample))) return utf8
  // Most sessions never meet such a file: the two packages load when one does.
  const { legacyCodec } = await import('./legacy-codec.ts')
  return legacyCodec(sample)
}

/** Drops the first bytes of a character whose rest is beyond the end. */
export function withoutCutCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? bytes.subarray(0, -back) : bytes
    }
  }
  return bytes
}

function codecByMark(sample: Buffer): TextCodec | undefined {
  const [first, second, third] = sample
  if (first === 0xef && second === 0xbb && third === 0xbf) return utf8Codec(Buffer.of(0xef, 0xbb, 0xbf))
  if (first === 0xff && second === 0xfe) return utf16Codec('UTF-16LE', Buffer.of(0xff, 0xfe))
  if (first === 0xfe && second === 0xff) return utf16Codec('UTF-16BE', Buffer.of(0xfe, 0xff))
  return undefined
}

/** Text in a Latin script has a NUL in nearly every second byte; zeros everywhere are no text. */
function utf16ByNulBytes(sample: Buffer): TextCodec | undefined {
  const head = sample.subarray(0, 1024)
  if (head.length < 4 || !head.includes(0)) return undefined
  const zeros: [number, number] = [0, 0]
  head.forEach((byte, index) => {
    if (byte === 0) zeros[index & 1 ? 1 : 0]++
  })
  const pairs = head.length / 2
  if (zeros[1] > pairs * 0.4 && zeros[0] < pairs * 0.05) return utf16Codec('UTF-16LE', Buffer.of())
  if (zeros[0] > pairs * 0.4 && zeros[1] < pairs * 0.05) return utf16Codec('UTF-16BE', Buffer.of())
  return undefined
}

function utf8Codec(mark: Buffer): TextCodec {
  return {
    name: 'UTF-8',
    mark,
    unitBytes: 1,
    lineFeed: Buffer.of(0x0a),
    isSearchable: true,
    decode: (bytes) => toBuffer(bytes).toString('utf8'),
    encode: (text) => (text.isWellFormed() ? Buffer.from(text, 'utf8') : undefined),
  }
}

function utf16Codec(name: 'UTF-16LE' | 'UTF-16BE', mark: Buffer): TextCodec {
  const isBigEndian = name === 'UTF-16BE'
  return {
    name,
    mark,
    unitBytes: 2,
    lineFeed: isBigEndian ? Buffer.of(0, 0x0a) : Buffer.of(0x0a, 0),
    isSearchable: true,
    decode: (bytes) => {
      const even = toBuffer(bytes).subarray(0, bytes.length & ~1)
      const native = isBigEndian ? Buffer.from(even).swap16() : even
      return native.toString('utf16le').toWellFormed()
    },
    encode: (text) => {
      const bytes = Buffer.from(text, 'utf16le')
      return isBigEndian ? bytes.swap16() : bytes
    },
  }
}
