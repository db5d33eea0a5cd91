import type { JsonMember, JsonSpan } from './json-spans.ts'

/** How the lines of a part of a JSON text are laid out. */
export interface JsonLayout {
  /** The line ending; empty where everything stands on one line. */
  readonly newline: string
  /** What stands before each line. */
  readonly indent: string
  /** By how much a deeper line is indented. */
  readonly unit: string
}

/** The layout of what stands in an object or array, told by what is before its first element. */
export function layoutIn(
  text: string,
  container: JsonSpan,
  { elements, unit }: { readonly elements: readonly (JsonSpan | JsonMember)[]; readonly unit?: string },
): JsonLayout {
  const [first] = elements
  const end = first === undefined ? container.start + 1 : 'keyStart' in first ? first.keyStart : first.start
  const [, newline = '', indent = ''] = /(\r?\n)([ \t]*)$/.exec(text.slice(container.start + 1, end)) ?? []
  return { newline, indent, unit: unit ?? indent }
}

/** A value as it would stand there, without what is before its first line. */
export function printJson(value: unknown, { newline, indent, unit }: JsonLayout): string {
  if (newline === '') return JSON.stringify(value)
  // A line feed in a string is spelled out, so each one here ends a line.
  return JSON.stringify(value, undefined, unit).replaceAll('\n', newline + indent)
}

/**
 * An object with some members replaced (a new value as JSON), added (in the order of the alphabet) or taken out (`undefined`).
 *
 * Every other character of it stays. At least one member must stay.
 */
export function changeMembers(
  text: string,
  { object, members }: { readonly object: JsonSpan; readonly members: readonly JsonMember[] },
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const pieces = [...keepMembers(text, members, changes)]
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined || members.some((member) => member.key === key)) continue
    const index = pieces.findIndex((piece) => piece.key > key)
    pieces.splice(index < 0 ? pieces.length : index, 0, addMember(text, members, { key, value }))
  }
  const body = pieces.map(({ gap, member }, index) => (index === 0 ? member : gap + member)).join('')
  const [start, end] = [members[0]?.keyStart ?? object.end, members.at(-1)?.end ?? object.end]
  return text.slice(object.start, start) + body + text.slice(end, object.end)
}

/** A member as it is written, and what stands between it and the one before. */
interface MemberPiece {
  readonly key: string
  readonly gap: string
  readonly member: string
}

function* keepMembers(
  text: string,
  members: readonly JsonMember[],
  changes: Readonly<Record<string, string | undefined>>,
): Generator<MemberPiece, void> {
  for (const [index, { key, keyStart, start, end }] of members.entries()) {
    const isChanged = Object.hasOwn(changes, key)
    const value = isChanged ? changes[key] : text.slice(start, end)
    if (value === undefined) continue
    const before = members[index - 1]
    const gap = before === undefined ? commonGap(text, members) : text.slice(before.end, keyStart)
    yield { key, gap, member: text.slice(keyStart, start) + value }
  }
}

function addMember(
  text: string,
  members: readonly JsonMember[],
  { key, value }: { readonly key: string; readonly value: string },
): MemberPiece {
  const [first] = members
  // The key's last quote is the last one before its value.
  const colon =
    first === undefined ? ': ' : text.slice(text.lastIndexOf('"', first.start - 1) + 1, first.start)
  return { key, gap: commonGap(text, members), member: `${JSON.stringify(key)}${colon}${value}` }
}

/** What stands between the first two members. */
function commonGap(text: string, [first, second]: readonly JsonMember[]): string {
  return first === undefined || second === undefined ? ', ' : text.slice(first.end, second.keyStart)
}
