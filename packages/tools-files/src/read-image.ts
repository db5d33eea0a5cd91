import type { Buffer } from 'node:buffer'
import { HARD_LIMITS, inspectImage, longestEdge } from './check-image.ts'
import type { ReadToolResult } from './read-result.ts'
import type { ImageMediaType, ImageSize } from './sniff-image.ts'
import { toBase64 } from './to-base64.ts'

/** A picture's bytes. */
export interface ImageBytes {
  /** The file's content. */
  readonly bytes: Uint8Array
  /** What it is. */
  readonly mediaType: ImageMediaType
}

/** What a smaller version of a picture should keep to. */
export interface ImageLimits {
  /** Longest edge, in pixels. */
  readonly maxEdgePx: number
  /** Bytes above which it is worth encoding it as JPEG with the same pixels. */
  readonly maxBytes: number
}

/** Makes a picture smaller. Rejects if it cannot read it; the call then fails with that error. */
export type ShrinkImage = (image: ImageBytes, limits: ImageLimits) => Promise<ImageBytes>

/** Within these a picture is sent as it is. */
const SOFT_LIMITS: ImageLimits = { maxEdgePx: 2000, maxBytes: 500_000 }

/** Makes the picture fit, or says why it cannot be shown: one that the service refuses would spoil every later request. */
export async function readImage(bytes: Buffer, shrink: ShrinkImage | undefined): Promise<ReadToolResult> {
  const sound = inspectImage(bytes)
  if (sound === undefined) throw new Error('The image is damaged or not complete, so it cannot be shown.')
  const { mediaType, size } = sound
  const original = { bytes, mediaType }
  const isLarge = bytes.length > SOFT_LIMITS.maxBytes || longestEdge(size) > SOFT_LIMITS.maxEdgePx
  if (shrink === undefined) assertEdges(size)
  const image = isLarge && shrink !== undefined ? await shrink(original, SOFT_LIMITS) : original
  const base64 = toBase64(image.bytes)
  if (base64.length > HARD_LIMITS.base64Bytes) {
    throw cannotShow(`it has ${base64.length} bytes in base64, more than ${HARD_LIMITS.base64Bytes}`, shrink)
  }
  const dimensions = { originalWidth: size.width, originalHeight: size.height }
  return { type: 'image', file: { base64, type: image.mediaType, originalSize: bytes.length, dimensions } }
}

function assertEdges(size: ImageSize): void {
  if (longestEdge(size) <= HARD_LIMITS.edgePx) return
  throw cannotShow(
    `it is ${size.width} x ${size.height} pixels, more than ${HARD_LIMITS.edgePx} on a side`,
    undefined,
  )
}

function cannotShow(reason: string, shrink: ShrinkImage | undefined): Error {
  const missing = shrink === undefined ? ', and nothing to resize images is set up' : ' even after resizing'
  return new Error(`The image cannot be shown: ${reason}${missing}. Make a smaller copy and read that.`)
}
