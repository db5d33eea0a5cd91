import type { structuredPatch } from 'diff'

/** One changed place, as unified diffs have it. */
export interface PatchHunk {
  /** First line of the place in the old file, from 1. */
  readonly oldStart: number
  /** Lines of the old file. */
  readonly oldLines: number
  /** First line of the place in the new file, from 1. */
  readonly newStart: number
  /** Lines of the new file. */
  readonly newLines: number
  /** The lines, each with ` `, `-` or `+` in front; a `\` line says that the last line has no line feed. */
  readonly lines: readonly string[]
}

/** Where a compared piece begins in the old and the new file, in lines from 1. */
export interface PatchPlace {
  readonly oldLine: number
  readonly newLine: number
  /** Time for this piece, in milliseconds. @default 100 */
  readonly timeoutMs?: number
}

/** Lines shown around a change. */
export const CONTEXT_LINES = 3

/** More changes than this in one place, or more time, and it is shown as one block taken out and one put in. */
const MAX_EDIT_LENGTH = 1000
const TIMEOUT_MS = 100

/** Compares two pieces of text by lines; CRLF counts as LF. */
export async function makePatch(
  oldText: string,
  newText: string,
  place: PatchPlace,
): Promise<readonly PatchHunk[]> {
  const { structuredPatch } = await import('diff')
  return comparePieces(structuredPatch, [oldText, newText], place)
}

function comparePieces(
  compare: typeof structuredPatch,
  [oldText, newText]: readonly [string, string],
  { oldLine, newLine, timeoutMs = TIMEOUT_MS }: PatchPlace,
): readonly PatchHunk[] {
  const [before, after] = [withLineFeeds(oldText), withLineFeeds(newText)]
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDIT_LENGTH, timeout: timeoutMs }
  const patch = compare('', '', before, after, undefined, undefined, options)
  const hunks = patch?.hunks ?? [wholeHunk(before, after)]
  return hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart: oldStart + oldLine - 1,
    oldLines,
    newStart: newStart + newLine - 1,
    newLines,
    lines,
  }))
}

function wholeHunk(before: string, after: string): PatchHunk {
  const [removed, added] = [toLines(before), toLines(after)]
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)]
  return { oldStart: 1, oldLines: removed.length, newStart: 1, newLines: added.length, lines }
}

function toLines(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
