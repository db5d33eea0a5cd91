import type { ScannedLine } from './scan-blocks.ts'

/** The text without the lines of its comments, and without blank lines at its ends. */
export function removeComments(text: string, lines: readonly ScannedLine[]): string {
  const kept = lines.filter(({ kind }) => kind !== 'comment')
  if (kept.length === lines.length) return trimBlankLines(text)
  return trimBlankLines(kept.map(({ start, end }) => text.slice(start, end)).join('\n'))
}

function trimBlankLines(text: string): string {
  const blank = /^(?:[^\S\n]*\n)*/.exec(text)?.[0] ?? ''
  return text.slice(blank.length).trimEnd()
}
