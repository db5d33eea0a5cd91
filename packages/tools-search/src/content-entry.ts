import { Buffer } from 'node:buffer'
import { createRecordReader } from './printed-record.ts'
import type { Search } from './run-search.ts'

/** One line of a result in content mode. */
export interface ContentEntry {
  /** Absolute path. */
  readonly path: string
  /** As ripgrep prints it behind the path. */
  readonly printed: string
  /** Other lines of the files stand between this and the entry before. */
  readonly hasGap: boolean
}

/** Makes entries from the lines that ripgrep prints, of files that may appear. */
export function createEntryReader(
  search: Search,
  onEntry: (entry: ContentEntry) => boolean,
): (line: string) => boolean {
  let hasGap = false
  // Most entries are of the file of the one before.
  let file = { printed: '', path: '', isAccepted: true }
  return createRecordReader(({ path: printed, rest }) => {
    if (printed === '') {
      hasGap = true
      return true
    }
    if (printed !== file.printed) {
      const path = search.toAbsolute(printed)
      file = { printed, path, isAccepted: search.accepts(path) }
    }
    if (!file.isAccepted) return true
    const entry = { path: file.path, printed: rest, hasGap }
    hasGap = false
    return onEntry(entry)
  })
}

/** Longer lines are clipped, in characters. */
const MAX_LINE_CHARS = 500

/** An entry as it is shown behind its path: line number, if wanted, and the clipped line. */
export function toEntryText({ printed }: ContentEntry, hasNumbers: boolean): string {
  const head = /^(\d+)(?:-|:(\d+):)/u.exec(printed)
  // About the file as a whole: that it is binary.
  if (head === null) return `: (${printed})`
  const [{ length }, number = '', column] = head
  const mark = column === undefined ? '-' : ':'
  const line = clip(printed.slice(length).replace(/\r$/u, ''), Number(column ?? 1))
  return hasNumbers ? `${mark}${number}${mark}${line}` : `${mark}${line}`
}

/** Characters of a clipped line that stand before its match. */
const LEAD_CHARS = 100

/** Cuts a long line to the surroundings of its first match, and marks where something is missing. */
function clip(line: string, byteColumn: number): string {
  if (line.length <= MAX_LINE_CHARS) return line.toWellFormed()
  const match = Buffer.from(line)
    .subarray(0, byteColumn - 1)
    .toString().length
  const start = Math.max(0, Math.min(match - LEAD_CHARS, line.length - MAX_LINE_CHARS))
  const end = start + MAX_LINE_CHARS
  const text = line.slice(start, end).toWellFormed()
  return `${start > 0 ? '[...] ' : ''}${text}${end < line.length ? ' [... line clipped]' : ''}`
}
