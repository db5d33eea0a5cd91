import { type JsonSpan, membersOf } from './json-spans.ts'

/** Whether the text of this cell is a list of lines and not one string. */
export function hasSourceInLines(text: string, cell: JsonSpan): boolean {
  const source = membersOf(text, cell.start).findLast(({ key }) => key === 'source')
  return source !== undefined && text[source.start] === '['
}

/** The text of a cell. As Jupyter writes it: a list of lines, each with its line feed. */
export function toSource(text: string, isInLines: boolean): string | readonly string[] {
  if (!isInLines) return text
  return text === '' ? [] : text.split(/(?<=\n)/)
}
