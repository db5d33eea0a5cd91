import type { Buffer } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { type ImageMediaType, type ImageSize, sniffImage } from './sniff-image.ts'

/** The service takes no picture beyond these. */
export const HARD_LIMITS = { base64Bytes: 5 * 1024 * 1024, edgePx: 8000 }

/** A picture that may be sent, as far as its damage goes; its size may still be too much. `undefined` for anything else. */
export function inspectImage(
  bytes: Buffer,
): { readonly mediaType: ImageMediaType; readonly size: ImageSize } | undefined {
  const { mediaType, size } = sniffImage(bytes) ?? {}
  if (mediaType === undefined || size === undefined || size.width * size.height === 0) return undefined
  return isWholeImage(bytes, mediaType) ? { mediaType, size } : undefined
}

/** The longer edge, in pixels. */
export function longestEdge({ width, height }: ImageSize): number {
  return Math.max(width, height)
}

/**
 * Whether a picture is whole, as far as its structure tells without decoding it.
 *
 * The service refuses a damaged picture, and with it every later request of a history that holds it.
 */
function isWholeImage(bytes: Buffer, mediaType: ImageMediaType): boolean {
  switch (mediaType) {
    case 'image/png':
      return isWholePng(bytes)
    case 'image/jpeg':
      return isWholeJpeg(bytes)
    case 'image/gif':
      return bytes.lastIndexOf(0x3b) > 13
    case 'image/webp':
      return bytes.readUInt32LE(4) + 8 <= bytes.length
  }
}

/** Every chunk with its checksum, data among them, up to the end mark. */
function isWholePng(bytes: Buffer): boolean {
  let hasData = false
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return false
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'IEND') return hasData
    if (type === 'IDAT') hasData = true
    at = end + 4
  }
  return false
}

const START_OF_SCAN = 0xda
const END_OF_IMAGE = Uint8Array.of(0xff, 0xd9)

/** Segment after segment to the first scan, and an end behind it. */
function isWholeJpeg(bytes: Buffer): boolean {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]
    if (marker === START_OF_SCAN) return bytes.lastIndexOf(END_OF_IMAGE) > at
    // A marker may have any number of FF in front.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return false
}
