import type { JsonNode } from './json-node.ts'
import { endOfLine } from './scan-json.ts'

/** How the writer of a text lays it out. */
export interface TextStyle {
  /** One level of indentation. */
  readonly unit: string
  /** The end of a line. */
  readonly eol: string
  /** Everything stands on one line, and stays so. */
  readonly isInline: boolean
}

/** Finds out how a text is laid out. Two blanks and a line feed where it does not tell. */
export function styleOf(text: string, root: JsonNode | undefined): TextStyle {
  const firstEnd = endOfLine(text, 0)
  const body = root === undefined ? '' : text.slice(root.offset, root.end)
  const isBlank = root === undefined || /^.[ \t\r\n]*.$/.test(body)
  return {
    unit: /[\r\n]([ \t]+)["\]}[{]/.exec(body)?.[1] ?? '  ',
    eol: text[firstEnd] === '\r' ? '\r\n' : '\n',
    isInline: !isBlank && !body.includes('\n'),
  }
}

/** The white space that the line of an offset begins with. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

/** Writes a value the way the text is laid out; `indent` is that of the line it stands on. */
export function formatValue(value: unknown, indent: string, style: TextStyle): string {
  if (style.isInline) return JSON.stringify(value)
  return JSON.stringify(value, undefined, style.unit).replaceAll('\n', style.eol + indent)
}
