import { toPlain } from './live/paint.ts'

/** A change is shown up to here, then counted; the rest is content, where nothing runs by a yes. */
const maxChangeLines = 40

/** All of what a yes would allow: what is cut off, turned round or invisible may be the part that matters. */
export function showWhole(input: Readonly<Record<string, unknown>>): string {
  const { command, file_path: file, notebook_path: notebook, url } = input
  const known = [command, file, notebook, url].find((value) => typeof value === 'string')
  const text = typeof known === 'string' ? known : JSON.stringify(input)
  return toVisible(text).trim().replaceAll('\n', '\n    ')
}

/** What a tool for files would take out (`-`) and put in (`+`), line by line; none for other tools. */
export function showChange({
  file_path: file,
  notebook_path: notebook,
  ...input
}: Readonly<Record<string, unknown>>): readonly string[] {
  if (file === undefined && notebook === undefined) return []
  const { old_string: before, new_string: after, content, new_source: source } = input
  const lines = [
    ...toLines(before).map((line) => `- ${line}`),
    ...[after, content, source].flatMap(toLines).map((line) => `+ ${line}`),
  ]
  const more = lines.length - maxChangeLines
  if (more <= 0) return lines
  return [...lines.slice(0, maxChangeLines), `… ${more} more ${more === 1 ? 'line' : 'lines'}`]
}

function toLines(value: unknown): readonly string[] {
  return typeof value === 'string' && value !== '' ? toVisible(value).replace(/\n$/, '').split('\n') : []
}

function toVisible(text: string): string {
  return toPlain(text).replaceAll(unseen, toEscape)
}

/** Characters that take no room or change the direction of others. */
const unseen = /[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
