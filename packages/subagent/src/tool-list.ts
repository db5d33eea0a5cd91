/**
 * Reads a list of tool patterns: a list, or a text with commas or blanks between them. Inside parentheses both are text.
 * Anything else is an empty list.
 */
export function splitToolList(value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    const texts: readonly unknown[] = value
    return unique(texts.flatMap((entry) => (typeof entry === 'string' ? splitText(entry) : [])))
  }
  return typeof value === 'string' ? unique(splitText(value)) : []
}

function splitText(text: string): readonly string[] {
  const bare = text.trim().replace(/^\[(.*)\]$/s, '$1')
  const entries = bare.match(/[^\s,(]+(?:\s*\([^)]*\)?)?|\([^)]*\)?/g) ?? []
  return entries.map(clean).filter((entry) => entry !== '')
}

/** In a block that was no YAML, list marks and quotes are still there. */
function clean(entry: string): string {
  const bare = entry.replace(/^["'`]|["'`]$/g, '')
  return bare === '-' ? '' : bare.toWellFormed()
}

function unique(entries: readonly string[]): readonly string[] {
  return [...new Set(entries)]
}

/** A pattern taken apart: `Agent(a, b)` is the tool `Agent` with two arguments. */
export interface ToolPattern {
  readonly name: string
  readonly args?: readonly string[]
}

/** Takes a pattern apart. */
export function parseToolPattern(pattern: string): ToolPattern {
  const open = pattern.indexOf('(')
  if (open < 0) return { name: pattern.trim() }
  const inner = pattern.slice(open + 1).replace(/\)\s*$/, '')
  return { name: pattern.slice(0, open).trim(), args: splitToolList(inner) }
}
