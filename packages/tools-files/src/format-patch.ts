import type { PatchHunk } from './patch.ts'

const MAX_LINES = 200
const MAX_LINE_CHARS = 1000

/** The diff for the model: sign, line number, tab, line. A long one is cut, and says so. */
export function formatPatch(hunks: readonly PatchHunk[]): string {
  const lines = hunks.flatMap((hunk, index) =>
    index === 0 ? formatHunk(hunk) : ['...', ...formatHunk(hunk)],
  )
  if (lines.length <= MAX_LINES) return lines.join('\n')
  const rest = lines.length - MAX_LINES
  return [
    ...lines.slice(0, MAX_LINES),
    `[${rest} more lines of the diff are not shown. Read the file to see them.]`,
  ].join('\n')
}

function formatHunk({ oldStart, newStart, lines }: PatchHunk): readonly string[] {
  let oldLine = oldStart
  let newLine = newStart
  return lines
    .filter((line) => !line.startsWith('\\'))
    .map((line) => {
      const sign = line[0] ?? ' '
      const number = sign === '-' ? oldLine : newLine
      if (sign !== '+') oldLine++
      if (sign !== '-') newLine++
      return `${sign}${number}\t${clip(line.slice(1))}`
    })
}

function clip(line: string): string {
  if (line.length <= MAX_LINE_CHARS) return line
  return `${line.slice(0, MAX_LINE_CHARS).toWellFormed()} [line clipped: ${line.length} characters]`
}
