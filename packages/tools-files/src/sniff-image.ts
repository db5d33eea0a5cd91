import type { Buffer } from 'node:buffer'
/** The kinds of picture that models take. */
export type ImageMediaType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'

/** A picture as its first bytes describe it. */
export interface SniffedImage {
  readonly mediaType: ImageMediaType
  /** Absent where the header does not tell within the bytes given. */
  readonly size?: ImageSize
}

/** In pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Recognises a picture by its content, never by its name. */
export function sniffImage(head: Buffer): SniffedImage | undefined {
  for (const { mediaType, matches, measure } of FORMATS) {
    if (!matches(head)) continue
    const size = measure(head)
    return size === undefined ? { mediaType } : { mediaType, size }
  }
  return undefined
}

interface Format {
  readonly mediaType: ImageMediaType
  readonly matches: (head: Buffer) => boolean
  readonly measure: (head: Buffer) => ImageSize | undefined
}

const FORMATS: readonly Format[] = [
  {
    mediaType: 'image/png',
    matches: (head) => head.subarray(0, 8).toString('hex') === '89504e470d0a1a0a',
    measure: (head) =>
      head.length >= 24 ? { width: head.readUInt32BE(16), height: head.readUInt32BE(20) } : undefined,
  },
  {
    mediaType: 'image/gif',
    matches: (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6)),
    measure: (head) =>
      head.length >= 10 ? { width: head.readUInt16LE(6), height: head.readUInt16LE(8) } : undefined,
  },
  {
    mediaType: 'image/jpeg',
    matches: (head) => head.subarray(0, 3).toString('hex') === 'ffd8ff',
    measure: measureJpeg,
  },
  {
    mediaType: 'image/webp',
    matches: (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
    measure: measureWebp,
  },
]

/** Goes from segment to segment until the one that says how large the picture is. */
function measureJpeg(head: Buffer): ImageSize | undefined {
  let at = 2
  while (at + 9 < head.length && head[at] === 0xff) {
    const marker = head[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) }
    at += 2 + head.readUInt16BE(at + 2)
  }
  return undefined
}

function measureWebp(head: Buffer): ImageSize | undefined {
  if (head.length < 30) return undefined
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    default:
      return undefined
  }
}
