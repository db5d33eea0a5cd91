import { type Container, isThematicBreak, matchContainers, openContainers } from './containers.ts'

/** One line of a Markdown text and what it is. Offsets count from the start of the text. */
export interface ScannedLine {
  /** Where it starts. */
  readonly start: number
  /** Where its content starts, behind the marks of quotes and lists. */
  readonly content: number
  /** Where it ends, without the line end. */
  readonly end: number
  /** `code` is a line of a fenced block or its fence, `comment` one of a comment that stands alone on its lines. */
  readonly kind: 'text' | 'code' | 'comment'
  /** It goes on with the paragraph of the line before, so that a code span can reach over both. */
  readonly joins: boolean
}

/**
 * Tells which lines are fenced code, comments and text, as CommonMark reads them. Takes time in proportion to the length.
 *
 * A comment changes nothing about the lines around it: the text without its comments scans like the text with them.
 */
export function scanBlocks(text: string): readonly ScannedLine[] {
  const state: BlockState = { containers: [], fence: undefined, isParagraph: false, isEmptyItem: false }
  const lines = text.split('\n')
  const comments = findComments(lines)
  const scanned: ScannedLine[] = []
  let start = 0
  let comment: CommentBlock | undefined
  for (const [index, line] of lines.entries()) {
    const isInComment = comment !== undefined && index <= comment.last
    if (!isInComment) comment = isInFence(state, line) ? undefined : comments.get(index)
    const { at, kind, joins } =
      comment === undefined ? scanLine(state, line) : { ...outside, kind: comment.kind }
    const follows = joins && scanned.at(-1)?.kind === 'text'
    scanned.push({ start, content: start + at, end: start + line.length, kind, joins: follows })
    start += line.length + 1
  }
  return scanned
}

/** A line of a comment has no part in what is around it. */
const outside = { at: 0, joins: false }

interface BlockState {
  /** The open quotes and list items, the outermost first. */
  containers: Container[]
  /** The open fence; it lies in all open containers. */
  fence: { readonly mark: string; readonly length: number } | undefined
  /** The line before is a paragraph's. */
  isParagraph: boolean
  /** The line before is the mark of a list item and nothing else. */
  isEmptyItem: boolean
}

interface CommentBlock {
  /** The index of its last line. */
  readonly last: number
  /** A comment with other text behind it stays, as text. */
  readonly kind: 'comment' | 'text'
}

/** The comments that would begin in each line. One without an end is none. */
function findComments(lines: readonly string[]): ReadonlyMap<number, CommentBlock> {
  const found = new Map<number, CommentBlock>()
  let next: CommentBlock | undefined
  // From the end, so that the nearest end of a comment is known without looking for it.
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index] ?? ''
    const open = /^ {0,3}<!--/.exec(line)?.[0].length
    if (open !== undefined) {
      // `<!-->` is a whole comment.
      const close = line.indexOf('-->', open - 2)
      const comment = close < 0 ? next : { last: index, kind: kindOf(line.slice(close + 3)) }
      if (comment !== undefined) found.set(index, comment)
    }
    const end = line.indexOf('-->')
    if (end >= 0) next = { last: index, kind: kindOf(line.slice(end + 3)) }
  }
  return found
}

/** What follows a comment in the line where it ends: nothing or further comments, or text. */
function kindOf(rest: string): CommentBlock['kind'] {
  // A comment can be read in one way only: with two, a line of many that ends in text would take time without end.
  return /^[ \t]*(?:<!--(?:-?>|(?!-?>)(?:(?!-->)[^])*-->)[ \t]*)*$/.test(rest) ? 'comment' : 'text'
}

function isInFence({ fence, containers }: BlockState, line: string): boolean {
  return fence !== undefined && matchContainers(containers, line).matched === containers.length
}

interface LineFacts {
  readonly at: number
  readonly kind: 'text' | 'code'
  readonly joins: boolean
}

function scanLine(state: BlockState, line: string): LineFacts {
  const { at, matched } = matchContainers(state.containers, line)
  const isWithin = matched === state.containers.length
  if (state.fence !== undefined && isWithin) {
    if (closesFence(line.slice(at), state.fence)) state.fence = undefined
    return { at, kind: 'code', joins: false }
  }
  if (state.fence !== undefined) {
    state.fence = undefined
    state.isParagraph = false
  }
  if (line.slice(at).trim() === '') {
    // A list item that has nothing in its first line ends with a second blank one.
    state.containers.length = state.isEmptyItem ? Math.max(0, matched - 1) : matched
    state.isEmptyItem = false
    state.isParagraph = false
    return { at, kind: 'text', joins: false }
  }
  return scanLeaf(state, line, { at, matched })
}

function scanLeaf(
  state: BlockState,
  line: string,
  { at, matched }: { readonly at: number; readonly matched: number },
): LineFacts {
  const isContinued = state.isParagraph && matched === state.containers.length
  const opened = openContainers(line, at, { matched, isParagraph: isContinued })
  const isNew = opened.containers.length > 0
  const rest = line.slice(opened.at)
  const leaf = classify(rest, isContinued && !isNew)
  // A paragraph's text may go on without the marks of its quote or list item.
  const joins = state.isParagraph && !isNew && ['paragraph', 'indented'].includes(leaf)
  if (!joins) state.containers = [...state.containers.slice(0, matched), ...opened.containers]
  state.fence = openedFence(rest)
  state.isEmptyItem = leaf === 'blank' && opened.containers.at(-1)?.kind === 'item'
  state.isParagraph = joins || leaf === 'paragraph'
  return { at: opened.at, kind: leaf === 'fence' ? 'code' : 'text', joins }
}

type Leaf = 'blank' | 'indented' | 'fence' | 'paragraph' | 'other'

/** `other` is a heading, a break, or the underline that makes the paragraph before it a heading. */
function classify(rest: string, isContinued: boolean): Leaf {
  const line = rest.trim()
  if (line === '') return 'blank'
  if (/^(?: {4}|\t)/.test(rest)) return 'indented'
  if (openedFence(rest) !== undefined) return 'fence'
  if (/^#{1,6}(?:[ \t]|$)/.test(line) || isThematicBreak(line)) return 'other'
  return isContinued && /^(?:-+|=+)$/.test(line) ? 'other' : 'paragraph'
}

function openedFence(rest: string): BlockState['fence'] {
  // No part of a run is a fence: each would be tried where the line does not end as one.
  const mark = /^ {0,3}(?:(`{3,})[^`]*|(~{3,})(?!~).*)$/.exec(rest)
  const run = mark?.[1] ?? mark?.[2]
  return run === undefined ? undefined : { mark: run.charAt(0), length: run.length }
}

function closesFence(rest: string, fence: { readonly mark: string; readonly length: number }): boolean {
  const run = /^ {0,3}(`+|~+)[ \t]*$/.exec(rest)?.[1]
  return run !== undefined && run.startsWith(fence.mark) && run.length >= fence.length
}
