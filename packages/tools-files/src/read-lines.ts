import { Buffer } from 'node:buffer'
import { toBuffer } from './to-buffer.ts'

/** Which lines to take. */
export interface LineRange {
  /** First line, from 1. */
  readonly offset: number
  /** Most lines; `Infinity` for all. */
  readonly limit: number
  /** Most bytes taken. */
  readonly maxBytes: number
  /** The bytes of a line feed; a chunk is searched at multiples of their number. */
  readonly lineFeed: Uint8Array
}

/** Lines taken out of a stream of bytes. */
export interface LinePage {
  /** The lines with their endings. */
  readonly bytes: Buffer
  /** Lines in `bytes`. */
  readonly lines: number
  /** Lines of the whole stream; absent when reading stopped early. */
  readonly totalLines?: number
  /** What ended it. `clipped`: one line alone was too long, and its beginning is all there is. */
  readonly end: 'stream' | 'limit' | 'budget' | 'clipped'
}

/** After the last line wanted this many bytes more are looked at, to tell how many lines there are. */
const COUNT_AHEAD_BYTES = 512 * 1024

/**
 * Takes a range of lines from chunks and stops as early as it can. A final line feed ends a line and begins none.
 *
 * Memory is bounded by `maxBytes` and one chunk, however long a line is.
 */
export async function readLines(chunks: AsyncIterable<Uint8Array>, range: LineRange): Promise<LinePage> {
  const scan: Scan = {
    newlines: 0,
    isInLine: false,
    kept: [],
    keptBytes: 0,
    wholeBytes: 0,
    lines: 0,
    aheadBytes: 0,
  }
  for await (const chunk of inWholeUnits(chunks, range.lineFeed.length)) {
    let position = skipLines(scan, chunk, range)
    if (scan.end === undefined) position = takeLines(scan, chunk.subarray(position), range) + position
    if (scan.end !== undefined) countLines(scan, chunk.subarray(position), range)
    scan.isInLine = !endsWith(chunk, range.lineFeed)
    if (scan.aheadBytes > COUNT_AHEAD_BYTES) return toPage(scan)
  }
  const totalLines = scan.newlines + (scan.isInLine ? 1 : 0)
  return { ...toPage(scan), totalLines }
}

interface Scan {
  /** Line feeds seen. */
  newlines: number
  /** Something follows the last line feed. */
  isInLine: boolean
  readonly kept: Buffer[]
  keptBytes: number
  /** How many of the kept bytes make whole lines, and how many lines they make. */
  wholeBytes: number
  lines: number
  end?: Exclude<LinePage['end'], 'stream'>
  /** Bytes looked at since the end of the range. */
  aheadBytes: number
}

/** Returns where the range begins or goes on in this chunk. */
function skipLines(scan: Scan, chunk: Buffer, { offset, lineFeed }: LineRange): number {
  let position = 0
  while (scan.newlines < offset - 1) {
    const next = nextLine(chunk, position, lineFeed)
    if (next === undefined) return chunk.length
    scan.newlines++
    position = next
  }
  return position
}

/** Returns how much of the chunk it has taken. */
function takeLines(scan: Scan, chunk: Buffer, { limit, maxBytes, lineFeed }: LineRange): number {
  const room = maxBytes - scan.keptBytes
  let position = 0
  while (position < chunk.length && scan.end === undefined) {
    const next = nextLine(chunk, position, lineFeed)
    const stop = next ?? chunk.length
    if (stop > room) {
      scan.end = scan.lines === 0 ? 'clipped' : 'budget'
      position = scan.lines === 0 ? Math.max(room, 0) : position
      break
    }
    position = stop
    if (next === undefined) continue
    scan.newlines++
    scan.lines++
    scan.wholeBytes = scan.keptBytes + position
    if (scan.lines >= limit) scan.end = 'limit'
  }
  // A copy: the chunk may be a buffer that is used again.
  scan.kept.push(Buffer.from(chunk.subarray(0, position)))
  scan.keptBytes += position
  return position
}

function countLines(scan: Scan, chunk: Buffer, { lineFeed }: LineRange): void {
  scan.aheadBytes += chunk.length
  for (let next = nextLine(chunk, 0, lineFeed); next !== undefined; next = nextLine(chunk, next, lineFeed))
    scan.newlines++
}

function toPage(scan: Scan): LinePage {
  const bytes = Buffer.concat(scan.kept)
  if (scan.end === 'clipped') return { bytes, lines: 1, end: 'clipped' }
  if (scan.end !== undefined)
    return { bytes: bytes.subarray(0, scan.wholeBytes), lines: scan.lines, end: scan.end }
  return { bytes, lines: scan.lines + (scan.keptBytes > scan.wholeBytes ? 1 : 0), end: 'stream' }
}

/** Where the next line begins; `undefined` if the line does not end in this chunk. */
function nextLine(chunk: Buffer, from: number, lineFeed: Uint8Array): number | undefined {
  if (lineFeed.length === 1) {
    const found = chunk.indexOf(0x0a, from)
    return found === -1 ? undefined : found + 1
  }
  let found = chunk.indexOf(lineFeed, from)
  // The second half of one character and the first of the next may look like a line feed.
  while (found % 2 === 1) found = chunk.indexOf(lineFeed, found + 1)
  return found === -1 ? undefined : found + 2
}

function endsWith(chunk: Buffer, lineFeed: Uint8Array): boolean {
  return chunk.subarray(-lineFeed.length).equals(lineFeed)
}

/** Keeps a character from being cut by the border of two chunks; half a character at the very end is dropped. */
async function* inWholeUnits(
  chunks: AsyncIterable<Uint8Array>,
  unitBytes: number,
): AsyncGenerator<Buffer, void> {
  let carry = Buffer.of()
  for await (const chunk of chunks) {
    const all = carry.length === 0 ? toBuffer(chunk) : Buffer.concat([carry, chunk])
    const whole = all.length - (all.length % unitBytes)
    carry = Buffer.from(all.subarray(whole))
    if (whole > 0) yield all.subarray(0, whole)
  }
}
