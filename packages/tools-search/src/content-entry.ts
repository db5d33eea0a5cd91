import { Buffer } from 'node:buffer'
import type { PrintedRecord } from './printed-record.ts'

/** One line of a result in content mode. */
export interface ContentEntry {
  /** Absolute path. */
  readonly path: string
  /** As it is shown behind the path: line number, if wanted, and the clipped line. */
  readonly text: string
  /** Other lines of the files stand between this and the entry before. */
  readonly hasGap: boolean
}

/** How entries are shown. */
export interface EntryStyle {
  /** Line numbers are shown. */
  readonly hasNumbers: boolean
  /** Longer lines are clipped, in characters. */
  readonly maxLineChars: number
}

/** Makes the text of an entry from a record of ripgrep. */
export function toEntryText({ rest }: PrintedRecord, style: EntryStyle): string {
  if (rest === 'binary') return ': (binary file matches)'
  const match = /^(\d+)(?::(\d+):|-)/u.exec(rest)
  if (match === null) return `:${clip(rest, 1, style.maxLineChars)}`
  const [head, number = '', column] = match
  const mark = column === undefined ? '-' : ':'
  const line = rest.slice(head.length).replace(/\r$/u, '')
  const text = clip(line, Number(column ?? 1), style.maxLineChars)
  return style.hasNumbers ? `${mark}${number}${mark}${text}` : `${mark}${text}`
}

/** How much of a clipped line stands before its match. */
const LEAD = 4

/** Cuts a long line to the surroundings of its first match, and marks where something is missing. */
function clip(line: string, byteColumn: number, maxChars: number): string {
  if (line.length <= maxChars) return line.toWellFormed()
  const match = Buffer.from(line)
    .subarray(0, byteColumn - 1)
    .toString().length
  const start =
    match + maxChars / 2 <= maxChars
      ? 0
      : Math.min(match - Math.floor(maxChars / LEAD), line.length - maxChars)
  const end = start + maxChars
  const before = start > 0 ? '[…] ' : ''
  const after = end < line.length ? ` [… line of ${line.length} characters]` : ''
  return (before + line.slice(start, end) + after).toWellFormed()
}
