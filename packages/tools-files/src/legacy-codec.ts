import { Buffer } from 'node:buffer'
import { analyse } from 'chardet'
import iconv from 'iconv-lite'
import type { TextCodec } from './text-codec.ts'

const SAMPLE_BYTES = 64 * 1024

/** Encodings with one byte for each character, where any piece of text can be found by its bytes. */
const SINGLE_BYTE = /^(windows-125|iso-8859-|koi8)/i
const MULTI_BYTE = /^(shift_jis|euc-jp|euc-kr|big5|gb18030)$/i

/** Below it a guess is no better than Latin-1, which at least shows the ASCII part and changes no byte. */
const MIN_CONFIDENCE = 30

/** The most likely encoding of bytes that are not UTF-8. */
export function legacyCodec(sample: Uint8Array): TextCodec {
  // From the first byte that is not ASCII: those before say nothing.
  const start = Math.max(0, sample.findIndex((byte) => byte >= 0x80) - 1024)
  const guesses = analyse(sample.subarray(start, start + SAMPLE_BYTES))
  const best = guesses.find(({ name }) => SINGLE_BYTE.test(name) || MULTI_BYTE.test(name))
  const name = best !== undefined && best.confidence >= MIN_CONFIDENCE ? best.name : 'windows-1252'
  return iconvCodec(iconv.encodingExists(name) ? name : 'windows-1252')
}

function iconvCodec(name: string): TextCodec {
  const decode = (bytes: Uint8Array): string => iconv.decode(bytes, name, { stripBOM: false })
  return {
    name,
    mark: Buffer.of(),
    unitBytes: 1,
    lineFeed: Buffer.of(0x0a),
    isSearchable: SINGLE_BYTE.test(name),
    decode,
    encode: (text) => {
      const bytes = iconv.encode(text, name)
      // What it cannot hold comes out as a question mark.
      return decode(bytes) === text ? bytes : undefined
    },
  }
}
