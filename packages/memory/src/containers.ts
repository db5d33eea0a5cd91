/** A block that holds other blocks: a quote, or an item of a list. */
export type Container =
  | { readonly kind: 'quote' }
  | {
      readonly kind: 'item'
      /** How far its content is indented, in columns. */
      readonly width: number
    }

/** Finds how many of the open containers a line goes on with, and where its content starts behind their marks. */
export function matchContainers(
  containers: readonly Container[],
  line: string,
): { readonly at: number; readonly matched: number } {
  let at = 0
  for (const [index, container] of containers.entries()) {
    const next =
      container.kind === 'quote' ? behindQuoteMark(line, at) : behindIndent(line, at, container.width)
    if (next === undefined) return { at, matched: index }
    at = next
  }
  return { at, matched: containers.length }
}

/** What a line goes on with. */
export interface OpenBlocks {
  /** How many containers stay open. */
  readonly matched: number
  /** A paragraph does. */
  readonly isParagraph: boolean
}

/** Nobody writes deeper quotes and lists; each line costs time for every container that is open. */
const maxContainers = 100

/** Finds the containers that open in a line. Not everything can interrupt a paragraph that the line could go on with. */
export function openContainers(
  line: string,
  from: number,
  { matched, isParagraph }: OpenBlocks,
): { readonly at: number; readonly containers: readonly Container[] } {
  const containers: Container[] = []
  let at = from
  for (;;) {
    if (matched + containers.length >= maxContainers) return { at, containers }
    const quoted = behindQuoteMark(line, at)
    const item = quoted === undefined ? openItem(line, at, isParagraph && containers.length === 0) : undefined
    if (quoted !== undefined) containers.push({ kind: 'quote' })
    else if (item !== undefined) containers.push(item.container)
    else return { at, containers }
    at = quoted ?? item?.at ?? at
  }
}

function behindQuoteMark(line: string, at: number): number | undefined {
  const mark = /^ {0,3}>[ \t]?/.exec(line.slice(at, at + 5))
  return mark === null ? undefined : at + mark[0].length
}

/** A blank line belongs to an item however little it is indented. */
function behindIndent(line: string, at: number, width: number): number | undefined {
  let columns = 0
  let next = at
  for (; columns < width; next += 1) {
    const character = line[next]
    if (character === undefined) return next
    if (character !== ' ' && character !== '\t') return undefined
    columns += character === '\t' ? 4 - (next % 4) : 1
  }
  return next
}

function openItem(
  line: string,
  at: number,
  isParagraph: boolean,
): { readonly at: number; readonly container: Container } | undefined {
  const rest = line.slice(at)
  const mark = /^( {0,3}(?:[-*+]|\d{1,9}[.)]))(?:([ \t]+)[^ \t]|[ \t]*$)/.exec(rest)
  if (mark === null || isThematicBreak(rest)) return undefined
  // Text that happens to begin with a number goes on with its paragraph, and so does a lonely sign.
  if (isParagraph && !/^ {0,3}(?:[-*+]|1[.)])[ \t]+[^ \t]/.test(rest)) return undefined
  const [, sign = '', space = ''] = mark
  // More than four blanks are one, and the beginning of indented code.
  const width = sign.length + (space === '' || space.length > 4 ? 1 : space.length)
  return { at: at + Math.min(width, rest.length), container: { kind: 'item', width } }
}

/** A line of nothing but three or more of `*`, `-` or `_`. */
export function isThematicBreak(line: string): boolean {
  return /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(line)
}
