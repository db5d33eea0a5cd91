import { isAlias, parseDocument, visit } from 'yaml'
import { isObject } from './is-object.ts'

/** What stands before the text of a file, and the text. */
export interface FrontMatter {
  /** The fields by name, as YAML reads them. */
  readonly fields: Readonly<Record<string, unknown>>
  /** What follows. */
  readonly body: string
  /** Why the YAML could not be read as a whole; the fields were then read one by one. */
  readonly fault?: string
}

/** A longer block of fields is no front matter. In characters. */
const maxFieldChars = 100_000

/**
 * Takes a file apart: fields between the first line `---` and the next, then the body, where `---` is text like any other.
 *
 * Undefined for a file that has none. Byte order marks and carriage returns are dropped. Where the block is no valid YAML,
 * each field is read for itself, and one that cannot be read is its own text. Never throws.
 */
export function parseFrontMatter(text: string, knownFields: ReadonlySet<string>): FrontMatter | undefined {
  const plain = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  const opening = /^---[ \t]*\n/.exec(plain)?.[0]
  if (opening === undefined) return undefined
  const rest = plain.slice(opening.length)
  const closing = /^---[ \t]*(?:\n|$)/m.exec(rest)
  if (closing === null || closing.index > maxFieldChars) return undefined
  const block = rest.slice(0, closing.index)
  const body = rest.slice(closing.index + closing[0].length).trim()
  const whole = readYaml(block)
  if (whole.ok && isObject(whole.value)) return { fields: whole.value, body }
  const fault = whole.ok ? 'the block holds no fields' : whole.fault
  return { fields: recoverFields(block, knownFields), body, fault }
}

type Reading = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fault: string }

/** Aliases are refused: a star is a wildcard here, and nothing may grow while it is read. */
function readYaml(text: string): Reading {
  try {
    const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent', prettyErrors: false })
    const [error] = document.errors
    if (error !== undefined) return { ok: false, fault: error.message }
    let hasAlias = false
    visit(document, (_key, node) => {
      hasAlias ||= isAlias(node)
    })
    if (hasAlias) return { ok: false, fault: 'an alias (*) without quotes' }
    const value: unknown = document.toJS() ?? {}
    return { ok: true, value }
  } catch (error) {
    return { ok: false, fault: error instanceof Error ? error.message : String(error) }
  }
}

/** Cuts the block into fields at the lines that begin one, and reads each alone. The last of a name wins. */
function recoverFields(block: string, known: ReadonlySet<string>): Record<string, unknown> {
  const chunks: { readonly name: string; readonly lines: string[] }[] = []
  for (const line of block.split('\n')) {
    const name = fieldName(line, known)
    if (name === undefined) chunks.at(-1)?.lines.push(line)
    else chunks.push({ name, lines: [line] })
  }
  return Object.fromEntries(chunks.map(({ name, lines }) => [name, recoverValue(name, lines)]))
}

/** In column 0 a known name begins a field, and so does one small word; all else goes on with the field before. */
function fieldName(line: string, known: ReadonlySet<string>): string | undefined {
  const name = /^([A-Za-z][\w-]*)[ \t]*:(?:[ \t]|$)/.exec(line)?.[1]
  if (name === undefined) return undefined
  return known.has(name) || /^[a-z][a-z0-9_-]*$/.test(name) ? name : undefined
}

function recoverValue(name: string, lines: readonly string[]): unknown {
  const alone = readYaml(lines.join('\n'))
  if (alone.ok && isObject(alone.value) && Object.hasOwn(alone.value, name)) return alone.value[name]
  const [first = '', ...rest] = lines
  const texts = [first.slice(first.indexOf(':') + 1), ...rest].map((line) => line.trim())
  return unquote(texts.join('\n').trim())
}

function unquote(text: string): string {
  const inner = /^"([^"]*)"$|^'([^']*)'$/s.exec(text)
  return inner?.[1] ?? inner?.[2] ?? text
}
