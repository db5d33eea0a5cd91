import { Buffer } from 'node:buffer'
import { plainCandidates } from './plain-candidates.ts'
import { type TextCodec, utf16 } from './text-codec.ts'

/** One place where a text stands in a file. */
export interface Match {
  /** First byte. */
  readonly start: number
  /** First byte after it. */
  readonly end: number
  /** For each line break of the text: whether the file has CRLF there. */
  readonly hasReturn: readonly boolean[]
}

/** Each match costs memory; a blank in a large file would use up all of it. */
const MAX_MATCHES = 100_000

/**
 * Finds every place where `text` stands in `bytes`, from left to right, never overlapping.
 *
 * A line feed of the text stands for LF and for CRLF, so that what Read shows can be searched for. Everything else is compared
 * byte by byte. `undefined`: the encoding cannot hold the text, so it cannot be there.
 *
 * @throws Error beyond 100,000 matches.
 */
export function findMatches(bytes: Buffer, text: string, codec: TextCodec): readonly Match[] | undefined {
  if (!codec.isSearchable) return findInDecoded(bytes, text, codec)
  const lines: Buffer[] = []
  for (const line of text.split('\n')) {
    const encoded = codec.encode(line)
    if (encoded === undefined) return undefined
    lines.push(encoded)
  }
  const matches: Match[] = []
  const pattern = toPattern(lines, codec)
  const places = isPlain(text, pattern) ? plainAnchors(bytes, pattern) : anchors(bytes, pattern)
  for (const match of eachMatch(bytes, places, { pattern, free: codec.mark.length })) {
    if (matches.length === MAX_MATCHES)
      throw new Error(`Found more than ${MAX_MATCHES} matches of the string to replace.`)
    matches.push(match)
  }
  return matches
}

interface Pattern {
  readonly lines: readonly Buffer[]
  /** Index of the line that is searched for: the longest, because it is met least often. */
  readonly anchor: number
  readonly lineFeed: Uint8Array
  readonly carriageReturn: Uint8Array
  readonly unitBytes: number
}

function toPattern(lines: readonly Buffer[], codec: TextCodec): Pattern {
  const { lineFeed, unitBytes } = codec
  let anchor = 0
  lines.forEach((line, index) => {
    if (line.length > (lines[anchor]?.length ?? 0)) anchor = index
  })
  return { lines, anchor, lineFeed, carriageReturn: codec.encode('\r') ?? Buffer.of(0x0d), unitBytes }
}

/** Is it worth a search for the whole text, and can that be had? */
function isPlain(text: string, { lines, anchor, unitBytes }: Pattern): boolean {
  return unitBytes === 1 && lines.length > 1 && (lines[anchor]?.length ?? 0) > 0 && !text.includes('\r')
}

function plainAnchors(bytes: Buffer, { lines, anchor, lineFeed }: Pattern): Iterable<number> {
  const parts = lines.flatMap((line, index) => (index === 0 ? [line] : [lineFeed, line]))
  const before = lines.slice(0, anchor).reduce((total, line) => total + line.length + lineFeed.length, 0)
  return plainCandidates(bytes, Buffer.concat(parts), before)
}

function* anchors(bytes: Buffer, pattern: Pattern): Generator<number, void> {
  for (let at = findAnchor(bytes, 0, pattern); at !== undefined; ) {
    yield at
    at = findAnchor(bytes, at + pattern.unitBytes, pattern)
  }
}

function* eachMatch(
  bytes: Buffer,
  places: Iterable<number>,
  { pattern, free: first }: Search,
): Generator<Match, void> {
  let free = first
  for (const at of places) {
    if (at < free) continue
    const match = matchAround(bytes, at, { pattern, free })
    if (match === undefined) continue
    yield match
    free = match.end
  }
}

function findAnchor(bytes: Buffer, from: number, pattern: Pattern): number | undefined {
  const needle = pattern.lines[pattern.anchor] ?? Buffer.of()
  if (needle.length > 0) return indexOfAligned(bytes, needle, { from, unitBytes: pattern.unitBytes })
  // Nothing but line breaks: the empty anchor stands before the first of them, which may be a CRLF.
  const at = indexOfAligned(bytes, pattern.lineFeed, { from, unitBytes: pattern.unitBytes })
  if (at === undefined) return undefined
  const before = at - pattern.unitBytes
  return before >= from && hasAt(bytes, pattern.carriageReturn, before) ? before : at
}

function indexOfAligned(
  bytes: Buffer,
  needle: Uint8Array,
  { from, unitBytes }: { readonly from: number; readonly unitBytes: number },
): number | undefined {
  let at = bytes.indexOf(needle, from)
  while (at !== -1 && at % unitBytes !== 0) at = bytes.indexOf(needle, at + 1)
  return at === -1 ? undefined : at
}

/** What a match must be, and the first byte that no earlier match has taken. */
interface Search {
  readonly pattern: Pattern
  readonly free: number
}

/** Holds the other lines of the pattern against what stands before and after the anchor. */
function matchAround(bytes: Buffer, at: number, search: Search): Match | undefined {
  const { pattern } = search
  const hasReturnBefore: boolean[] = []
  const hasReturn: boolean[] = []
  let start = at
  for (const line of pattern.lines.slice(0, pattern.anchor).toReversed()) {
    const step = stepBack(bytes, start, { ...search, line })
    if (step === undefined) return undefined
    hasReturnBefore.push(step.hasReturn)
    start = step.to
  }
  let end = at + (pattern.lines[pattern.anchor]?.length ?? 0)
  for (const line of pattern.lines.slice(pattern.anchor + 1)) {
    const isReturn = hasAt(bytes, pattern.carriageReturn, end)
    const feed = end + (isReturn ? pattern.unitBytes : 0)
    if (!hasAt(bytes, pattern.lineFeed, feed) || !hasAt(bytes, line, feed + pattern.unitBytes))
      return undefined
    hasReturn.push(isReturn)
    end = feed + pattern.unitBytes + line.length
  }
  return { start, end, hasReturn: [...hasReturnBefore.toReversed(), ...hasReturn] }
}

/** Over a line break and the line before it. A carriage return belongs to the break, unless the line needs it. */
function stepBack(
  bytes: Buffer,
  from: number,
  { line, pattern, free }: Search & { readonly line: Buffer },
): { readonly to: number; readonly hasReturn: boolean } | undefined {
  const feed = from - pattern.unitBytes
  if (!hasAt(bytes, pattern.lineFeed, feed)) return undefined
  const back = feed - pattern.unitBytes
  const withReturn = back - line.length
  const isReturn = withReturn >= free && hasAt(bytes, pattern.carriageReturn, back)
  if (isReturn && hasAt(bytes, line, withReturn)) return { to: withReturn, hasReturn: true }
  const to = feed - line.length
  return to >= free && hasAt(bytes, line, to) ? { to, hasReturn: false } : undefined
}

function hasAt(bytes: Buffer, part: Uint8Array, at: number): boolean {
  return (
    at >= 0 &&
    at + part.length <= bytes.length &&
    bytes.compare(part, 0, part.length, at, at + part.length) === 0
  )
}

/**
 * For encodings where bytes alone may mislead: searches the text and counts back. Finds nothing if the file does not come
 * through decoding and encoding unchanged, because then positions cannot be trusted.
 */
function findInDecoded(bytes: Buffer, text: string, codec: TextCodec): readonly Match[] | undefined {
  const decoded = codec.decode(bytes)
  if (codec.encode(decoded)?.equals(bytes) !== true) return undefined
  let seen = 0
  let offset = 0
  const toOffset = (position: number): number => {
    offset += codec.encode(decoded.slice(seen, position / 2))?.length ?? 0
    seen = position / 2
    return offset
  }
  const matches = findMatches(Buffer.from(decoded, 'utf16le'), text, utf16) ?? []
  return matches.map(({ start, end, hasReturn }) => ({
    start: toOffset(start),
    end: toOffset(end),
    hasReturn,
  }))
}
