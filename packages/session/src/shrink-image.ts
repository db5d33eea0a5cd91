import { createRequire } from 'node:module'
import type { ShrinkImage } from '@x/tools-files'

/** The part of sharp that is used here. */
interface Sharp {
  (bytes: Uint8Array, options: { readonly failOn: 'error' }): SharpImage
}

interface SharpImage {
  rotate(): SharpImage
  resize(size: { width: number; height: number; fit: 'inside'; withoutEnlargement: true }): SharpImage
  flatten(options: { background: string }): SharpImage
  jpeg(options: { quality: number }): SharpImage
  toBuffer(): Promise<Buffer>
}

/** Named in a variable, so that a bundler leaves it to whoever installs it. */
const library = 'sharp'

/**
 * Makes pictures fit through the library sharp, if that is installed; undefined if not. It is a large native library and most
 * sessions read no picture, so nobody has to have it.
 */
export function findShrinkImage(): ShrinkImage | undefined {
  try {
    createRequire(import.meta.url).resolve(library)
  } catch {
    return undefined
  }
  return shrinkImage
}

/** Turns it as its camera says, makes it no larger than the limit, and writes it as JPEG, in lower quality where that is needed. */
async function shrinkImage(
  ...[{ bytes }, { maxEdgePx, maxBytes }]: Parameters<ShrinkImage>
): ReturnType<ShrinkImage> {
  // The library is optional, so its types are not here: the interface above says what is used of it.
  const { default: sharp } = (await import(library)) as { default: Sharp }
  const size = { width: maxEdgePx, height: maxEdgePx, fit: 'inside', withoutEnlargement: true } as const
  const fitted = (): SharpImage =>
    sharp(bytes, { failOn: 'error' }).rotate().resize(size).flatten({ background: '#ffffff' })
  let smallest: Buffer | undefined
  for (const quality of [85, 70, 50]) {
    smallest = await fitted().jpeg({ quality }).toBuffer()
    if (smallest.length <= maxBytes) break
  }
  return { bytes: smallest ?? Buffer.from(bytes), mediaType: 'image/jpeg' }
}
