import type { JsonArray, JsonNode, JsonObject } from './json-node.ts'
import { endOfLine, scanJson } from './scan-json.ts'
import { formatValue, indentAt, type TextStyle } from './text-style.ts'

/** Puts text in the place of other text. */
export interface TextChange {
  readonly offset: number
  readonly end: number
  readonly text: string
}

/** A key to give to a new member, and its value. */
export interface NewMember {
  /** Nothing for an element of an array. */
  readonly key?: string
  readonly value: unknown
}

type Container = JsonArray | JsonObject

/** Applies changes that do not overlap. */
export function changeText(text: string, changes: readonly TextChange[]): string {
  return changes
    .toSorted((a, b) => b.offset - a.offset || b.end - a.end)
    .reduce((result, { offset, end, text }) => result.slice(0, offset) + text + result.slice(end), text)
}

/** Adds a member behind the last one, with a comma where one is needed, and leaves everything else as it is. */
export function insertMember(
  text: string,
  container: Container,
  { member, style }: { member: NewMember; style: TextStyle },
): readonly TextChange[] {
  const last = lastMember(container)
  if (last === undefined) return insertFirst(text, container, { member, style })
  const comma = scanJson(text, last.end)
  const hasComma = comma.kind === ','
  const isOwnLine = text.slice(container.offset, last.start).includes('\n')
  if (!isOwnLine) {
    const at = hasComma ? comma.end : last.end
    const item = writeMember(member, indentAt(text, last.start), style)
    return [{ offset: at, end: at, text: `${hasComma ? '' : ','} ${item}${hasComma ? ',' : ''}` }]
  }
  const indent = indentAt(text, last.start)
  const at = endOfRemark(text, hasComma ? comma.end : last.end)
  const item = `${style.eol}${indent}${writeMember(member, indent, style)}`
  if (hasComma) return [{ offset: at, end: at, text: `${item},` }]
  if (at === last.end) return [{ offset: at, end: at, text: `,${item}` }]
  return [
    { offset: last.end, end: last.end, text: ',' },
    { offset: at, end: at, text: item },
  ]
}

/** Takes a member out, with its comma and, if it has one alone, its line. Comments stay. */
export function removeMember(text: string, container: Container, index: number): readonly TextChange[] {
  const members = membersOf(container)
  const member = members[index]
  if (member === undefined) return []
  const next = scanJson(text, member.end)
  if (next.kind === ',') {
    const isClose = next.offset === member.end
    const own = cut(text, member.start, isClose ? next.end : member.end)
    return isClose ? [own] : [own, { offset: next.offset, end: next.end, text: '' }]
  }
  const own = cut(text, member.start, member.end)
  const previous = members[index - 1]
  if (previous === undefined) return [own]
  const comma = scanJson(text, previous.end)
  const isClose = /^[ \t]*$/.test(text.slice(comma.end, own.offset))
  // Between the comma and the member there may be a comment, which stays.
  return isClose
    ? [{ ...own, offset: comma.offset }]
    : [{ offset: comma.offset, end: comma.end, text: '' }, own]
}

interface Member {
  readonly start: number
  readonly end: number
}

function membersOf(container: Container): readonly Member[] {
  if (container.kind === 'array') return container.items.map(({ offset, end }) => ({ start: offset, end }))
  return [...container.entries.values()]
    .map(({ keyOffset, value }) => ({ start: keyOffset, end: value.end }))
    .toSorted((a, b) => a.start - b.start)
}

function lastMember(container: Container): Member | undefined {
  return membersOf(container).at(-1)
}

/** The index of a member among those in the order of the text. */
export function memberIndexOf(container: Container, node: JsonNode): number {
  return membersOf(container).findIndex(({ end }) => end === node.end)
}

function insertFirst(
  text: string,
  container: Container,
  { member, style }: { member: NewMember; style: TextStyle },
): readonly TextChange[] {
  const close = container.end - 1
  if (style.isInline) {
    return [{ offset: container.offset + 1, end: container.offset + 1, text: writeMember(member, '', style) }]
  }
  const closing = indentAt(text, container.offset)
  const indent = closing + style.unit
  const at = text.slice(0, close).trimEnd().length
  const item = `${style.eol}${indent}${writeMember(member, indent, style)}${style.eol}${closing}`
  return [{ offset: at, end: close, text: item }]
}

function writeMember({ key, value }: NewMember, indent: string, style: TextStyle): string {
  const written = formatValue(value, indent, style)
  return key === undefined ? written : `${JSON.stringify(key)}: ${written}`
}

/** The end of the line if only blanks and comments that end in it follow, else the offset itself. */
function endOfRemark(text: string, from: number): number {
  const end = endOfLine(text, from)
  const rest = text.slice(from, end)
  return /^[ \t]*(?:\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/[ \t]*)$/.test(rest)
    ? from + rest.trimEnd().length
    : from
}

/** A part of a text: with its line if nothing else stands there, else with the blanks behind it. */
function cut(text: string, offset: number, end: number): TextChange {
  const rest = text.slice(end, endOfLine(text, end))
  const lineStart = text.lastIndexOf('\n', offset - 1)
  const isAlone = rest.trim() === '' && lineStart !== -1 && text.slice(lineStart, offset).trim() === ''
  if (!isAlone) return { offset, end: end + rest.length - rest.trimStart().length, text: '' }
  const eolStart = text[lineStart - 1] === '\r' ? lineStart - 1 : lineStart
  return { offset: eolStart, end: end + rest.length, text: '' }
}
