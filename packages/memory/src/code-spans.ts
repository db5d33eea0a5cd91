import type { ScannedLine } from './scan-blocks.ts'

/** Blanks out, at the same offsets, all that is no text: code, comments, and the marks of quotes and lists. */
export function maskCode(text: string, lines: readonly ScannedLine[]): string {
  const masked: string[] = []
  let at = 0
  for (let index = 0, next = 0; index < lines.length; index = next) {
    next = index + 1
    while (lines[next]?.joins === true) next += 1
    const paragraph = lines.slice(index, next)
    const [first] = paragraph
    if (first?.kind !== 'text') continue
    masked.push(blank(text.slice(at, first.start)), maskSpans(paragraphOf(text, paragraph)))
    at = paragraph.at(-1)?.end ?? at
  }
  return [...masked, blank(text.slice(at))].join('')
}

function paragraphOf(text: string, lines: readonly ScannedLine[]): string {
  return lines
    .map(({ start, content, end }) => blank(text.slice(start, content)) + text.slice(content, end))
    .join('\n')
}

/** Takes time in proportion to the length, however many runs of backticks have no partner. */
function maskSpans(paragraph: string): string {
  if (!paragraph.includes('`')) return paragraph
  const runs = runsByLength(paragraph)
  const token = /\\[^\n]|`+|<!--/g
  const masked: string[] = []
  let at = 0
  for (let match = token.exec(paragraph); match !== null; match = token.exec(paragraph)) {
    const end = endOf(match, paragraph, runs)
    if (end === undefined) continue
    if (match[0].startsWith('`')) {
      masked.push(paragraph.slice(at, match.index), blank(paragraph.slice(match.index, end)))
      at = end
    }
    token.lastIndex = end
  }
  return [...masked, paragraph.slice(at)].join('')
}

/** Where a code span or a comment inside a paragraph ends; nothing for what is neither. */
function endOf(
  match: RegExpExecArray,
  paragraph: string,
  runs: ReadonlyMap<number, number[]>,
): number | undefined {
  const [sign] = match
  const behind = match.index + sign.length
  if (sign === '<!--') {
    const isClosed = paragraph.lastIndexOf('-->') >= match.index + 2
    return isClosed ? paragraph.indexOf('-->', match.index + 2) + 3 : undefined
  }
  if (!sign.startsWith('`')) return undefined
  const starts = runs.get(sign.length) ?? []
  // Runs that lie behind are never needed again.
  while ((starts.at(-1) ?? behind) < behind) starts.pop()
  const close = starts.at(-1)
  return close === undefined ? undefined : close + sign.length
}

/** Where runs of backticks start, by their length, the last one first. */
function runsByLength(paragraph: string): ReadonlyMap<number, number[]> {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of [...paragraph.matchAll(/`+/g)].toReversed()) {
    const starts = runs.get(run.length)
    if (starts === undefined) runs.set(run.length, [index])
    else starts.push(index)
  }
  return runs
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}
