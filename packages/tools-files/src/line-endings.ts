import { Buffer } from 'node:buffer'
import type { Match } from './find-matches.ts'
import type { TextCodec } from './text-codec.ts'

/** Whether most lines of the text end in CRLF. */
export function usesCrlf(text: string): boolean {
  const feeds = text.split('\n').length - 1
  return feeds > 0 && (text.split('\r\n').length - 1) * 2 > feeds
}

/** Gives each line feed of the text that stands alone a carriage return. */
export function toCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n')
}

/**
 * Writes `newText` with the line endings of the place where `oldText` stood: a line that stays keeps its own ending, a new one
 * takes that of its neighbour. A carriage return that `newText` spells out stays.
 */
export function withEndingsOf(
  match: Match,
  {
    oldText,
    newText,
    neighbour,
  }: { readonly oldText: string; readonly newText: string; readonly neighbour: boolean },
): string {
  const oldLines = oldText.split('\n')
  const newLines = newText.split('\n')
  const breaks = newLines.length - 1
  const { hasReturn } = match
  const before = countEqual(oldLines, newLines)
  const after = Math.min(
    countEqual(oldLines.toReversed(), newLines.toReversed()),
    oldLines.length - before,
    newLines.length - before,
  )
  const endingAt = (index: number): boolean => {
    if (index >= breaks - after) return hasReturn[hasReturn.length - (breaks - index)] ?? neighbour
    return hasReturn[Math.min(index, hasReturn.length - 1)] ?? neighbour
  }
  return newLines.reduce((text, line, index) => {
    const isMarked = endingAt(index - 1) && !text.endsWith('\r')
    return `${text}${isMarked ? '\r\n' : '\n'}${line}`
  })
}

/** Whether the line at this place ends in CRLF; at the last line the one before it tells. */
export function hasCrlfNear(bytes: Buffer, at: number, codec: TextCodec): boolean {
  const after = bytes.indexOf(codec.lineFeed, at)
  const feed = after === -1 ? bytes.lastIndexOf(codec.lineFeed) : after
  if (feed < codec.unitBytes) return false
  const carriageReturn = codec.encode('\r') ?? Buffer.of(0x0d)
  return bytes.subarray(feed - codec.unitBytes, feed).equals(carriageReturn)
}

function countEqual(left: readonly string[], right: readonly string[]): number {
  let count = 0
  while (count < left.length && count < right.length && left[count] === right[count]) count++
  return count
}
