import { Buffer } from 'node:buffer'

/** How two versions of a file differ, in lines. */
export interface LineCounts {
  /** Lines that come. */
  readonly insertions: number
  /** Lines that go. */
  readonly deletions: number
  /** One of both is no text; its lines are not counted. */
  readonly isBinary: boolean
}

/** The search for the shortest way takes time in the square of this. */
const MAX_EDITS = 2000
/** A zero byte in the beginning means that it is no text, as in git. */
const SNIFFED_BYTES = 8000

/**
 * Counts the lines that a change takes away and adds. The smallest number up to 2,000 changed lines; of more, a line that
 * only moved may count as none.
 *
 * Compares bytes, so the encoding does not matter; a line ends at a line feed.
 */
export function countLines(before: Uint8Array, after: Uint8Array): LineCounts {
  if (isBinary(before) || isBinary(after)) return { insertions: 0, deletions: 0, isBinary: true }
  const numbers = new Map<string, number>()
  const [old, next] = withoutCommonEnds(toNumbers(before, numbers), toNumbers(after, numbers))
  const edits = shortestEdit(old, next) ?? countUnordered(old, next)
  const insertions = (edits + next.length - old.length) / 2
  return { insertions, deletions: edits - insertions, isBinary: false }
}

function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, SNIFFED_BYTES).includes(0)
}

/** One number for each different line, its line feed included. */
function toNumbers(bytes: Uint8Array, numbers: Map<string, number>): number[] {
  // Latin-1 gives each byte a character of its own, so nothing is lost.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const lines: number[] = []
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed + 1
    const line = text.slice(start, end)
    const number = numbers.get(line) ?? numbers.size
    numbers.set(line, number)
    lines.push(number)
    start = end
  }
  return lines
}

function withoutCommonEnds(old: readonly number[], next: readonly number[]): readonly [number[], number[]] {
  const shorter = Math.min(old.length, next.length)
  let start = 0
  while (start < shorter && old[start] === next[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end++
  return [old.slice(start, old.length - end), next.slice(start, next.length - end)]
}

/** Myers' greedy search: how far each diagonal gets with one more edit, until one gets to the end. Nothing beyond the limit. */
function shortestEdit(old: readonly number[], next: readonly number[]): number | undefined {
  // An edit changes the length by one, so fewer edits than the lengths differ by cannot do.
  if (Math.abs(old.length - next.length) > MAX_EDITS) return undefined
  const limit = Math.min(MAX_EDITS, old.length + next.length)
  const reach = new Int32Array(2 * limit + 3)
  const middle = limit + 1
  const reached = (diagonal: number): number => reach[middle + diagonal] ?? 0
  for (let edits = 0; edits <= limit; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const below = reached(diagonal + 1)
      const beside = reached(diagonal - 1)
      const isDown = diagonal === -edits || (diagonal !== edits && beside < below)
      const position = slide(old, next, { position: isDown ? below : beside + 1, diagonal })
      reach[middle + diagonal] = position
      if (position >= old.length && position - diagonal >= next.length) return edits
    }
  }
  return undefined
}

/** Equal lines cost nothing. */
function slide(
  old: readonly number[],
  next: readonly number[],
  { position, diagonal }: { readonly position: number; readonly diagonal: number },
): number {
  let end = position
  while (end < old.length && old[end] === next[end - diagonal]) end++
  return end
}

function countUnordered(old: readonly number[], next: readonly number[]): number {
  const surplus = new Map<number, number>()
  for (const line of old) surplus.set(line, (surplus.get(line) ?? 0) + 1)
  for (const line of next) surplus.set(line, (surplus.get(line) ?? 0) - 1)
  return surplus.values().reduce((total, count) => total + Math.abs(count), 0)
}
