import { Buffer } from 'node:buffer'
import { findMatches, type Match } from './find-matches.ts'
import { hasCrlfNear, withEndingsOf } from './line-endings.ts'
import { CONTEXT_LINES, makePatch, type PatchHunk } from './patch.ts'
import { type TextCodec, utf8 } from './text-codec.ts'

/** What to replace by what. */
export interface TextChange {
  readonly oldText: string
  readonly newText: string
}

/** One piece of a file that is replaced. */
export interface Replacement {
  readonly start: number
  readonly end: number
  readonly bytes: Buffer
}

/** What a change would do; nothing is written yet. */
export type EditPlan =
  | { readonly type: 'found'; readonly replacements: readonly Replacement[] }
  | { readonly type: 'not-found' }
  | { readonly type: 'not-encodable' }

/** Finds the text and makes the bytes that take its place, in the file's own encoding and line endings. */
export function planEdit(bytes: Buffer, change: TextChange, codec: TextCodec): EditPlan {
  for (const { oldText, newText } of spellings(change)) {
    for (const candidate of codec === utf8 ? [utf8] : [codec, utf8]) {
      const matches = findMatches(bytes, oldText, candidate) ?? []
      if (matches.length > 0) return replaceAt(bytes, { matches, oldText, newText, codec: candidate })
    }
  }
  return { type: 'not-found' }
}

/** The new file as a list of pieces: nothing that stays is copied. */
export function joinEdit(bytes: Buffer, replacements: readonly Replacement[]): readonly Buffer[] {
  const parts: Buffer[] = []
  let from = 0
  for (const { start, end, bytes: added } of replacements) {
    parts.push(bytes.subarray(from, start), added)
    from = end
  }
  return [...parts, bytes.subarray(from)]
}

/** Most places that a diff shows, and the time for all of them together. */
const MAX_PLACES = 500
const MAX_PATCH_MS = 300

/**
 * The diff of an edit: its first 500 places. Only the lines around each are compared, so the size of the file does not count.
 */
export async function patchOfEdit(
  bytes: Buffer,
  replacements: readonly Replacement[],
  codec: TextCodec,
): Promise<readonly PatchHunk[]> {
  const hunks: PatchHunk[] = []
  let counted = 0
  let oldLine = 1
  let added = 0
  const deadline = performance.now() + MAX_PATCH_MS
  for (const group of groupByWindow(bytes, replacements, codec).slice(0, MAX_PLACES)) {
    oldLine += countLines(bytes, { start: counted, end: group.start }, codec)
    counted = group.start
    const before = bytes.subarray(group.start, group.end)
    const local = group.replacements.map((one) => ({
      ...one,
      start: one.start - group.start,
      end: one.end - group.start,
    }))
    const after = Buffer.concat(joinEdit(before, local))
    const found = await makePatch(codec.decode(before), codec.decode(after), {
      oldLine,
      newLine: oldLine + added,
      timeoutMs: Math.max(1, deadline - performance.now()),
    })
    hunks.push(...found)
    for (const hunk of found) added += hunk.newLines - hunk.oldLines
  }
  return hunks
}

/** As given, and then, for a caller that sends CRLF for what Read showed as LF, with plain line feeds. */
function spellings(change: TextChange): readonly TextChange[] {
  if (!change.oldText.includes('\r\n')) return [change]
  const plain = (text: string): string => text.replaceAll('\r\n', '\n')
  return [change, { oldText: plain(change.oldText), newText: plain(change.newText) }]
}

function replaceAt(
  bytes: Buffer,
  {
    matches,
    codec,
    ...change
  }: TextChange & { readonly matches: readonly Match[]; readonly codec: TextCodec },
): EditPlan {
  const replacements: Replacement[] = []
  // Most matches get the same bytes.
  const known = new Map<string, Buffer | undefined>()
  for (const match of matches) {
    const text = change.newText.includes('\n')
      ? withEndingsOf(match, { ...change, neighbour: hasCrlfNear(bytes, match.end, codec) })
      : change.newText
    const encoded = known.get(text) ?? codec.encode(text)
    known.set(text, encoded)
    if (encoded === undefined) return { type: 'not-encodable' }
    replacements.push({ start: match.start, end: match.end, bytes: encoded })
  }
  return { type: 'found', replacements }
}

interface Window {
  readonly start: number
  end: number
  readonly replacements: Replacement[]
}

/** Replacements whose surroundings touch are compared together. */
function groupByWindow(
  bytes: Buffer,
  replacements: readonly Replacement[],
  codec: TextCodec,
): readonly Window[] {
  const windows: Window[] = []
  for (const replacement of replacements) {
    const last = windows.at(-1)
    const start = lineStart(bytes, replacement.start, codec)
    const end = lineEnd(bytes, replacement.end, codec)
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end)
      last.replacements.push(replacement)
    } else {
      windows.push({ start, end, replacements: [replacement] })
    }
  }
  return windows
}

function lineStart(bytes: Buffer, at: number, codec: TextCodec): number {
  let start = at
  for (let line = 0; line <= CONTEXT_LINES; line++) {
    const feed = lastFeedBefore(bytes, start - (line === 0 ? 0 : codec.unitBytes), codec)
    if (feed === undefined) return codec.mark.length
    start = feed + codec.unitBytes
  }
  return start
}

function lineEnd(bytes: Buffer, at: number, codec: TextCodec): number {
  let end = at
  for (let line = 0; line <= CONTEXT_LINES; line++) {
    const feed = feedFrom(bytes, end, codec)
    if (feed === undefined) return bytes.length
    end = feed + codec.unitBytes
  }
  return end
}

function countLines(
  bytes: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
  codec: TextCodec,
): number {
  let count = 0
  if (codec.unitBytes === 1) {
    // By far the most files, and the longest part of an edit near the end of a large one.
    const part = bytes.subarray(start, end)
    for (let at = part.indexOf(0x0a); at !== -1; at = part.indexOf(0x0a, at + 1)) count++
    return count
  }
  for (let feed = feedFrom(bytes, start, codec); feed !== undefined && feed < end; count++) {
    feed = feedFrom(bytes, feed + codec.unitBytes, codec)
  }
  return count
}

function feedFrom(bytes: Buffer, from: number, { lineFeed, unitBytes }: TextCodec): number | undefined {
  // A number is searched for twice as fast as a buffer of one byte.
  let at = unitBytes === 1 ? bytes.indexOf(0x0a, from) : bytes.indexOf(lineFeed, from)
  while (at % unitBytes === 1) at = bytes.indexOf(lineFeed, at + 1)
  return at === -1 ? undefined : at
}

/** The last line feed that begins before `end`. */
function lastFeedBefore(bytes: Buffer, end: number, { lineFeed, unitBytes }: TextCodec): number | undefined {
  let at = end - unitBytes < 0 ? -1 : bytes.lastIndexOf(lineFeed, end - unitBytes)
  while (at > 0 && at % unitBytes === 1) at = bytes.lastIndexOf(lineFeed, at - 1)
  return at === -1 ? undefined : at
}
