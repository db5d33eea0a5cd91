/** A pattern where `*` stands for any text. */
export interface Wildcard {
  /** The text in front of the first `*`; the whole pattern if there is none. */
  readonly prefix: string
  /** Whether there is a `*`. */
  readonly isOpen: boolean
  /** Does it match the whole text? Takes time in proportion to the product of both lengths at worst. */
  matches(text: string): boolean
}

/** Compiles a pattern once. Without regular expressions: many stars must not make a match slow. */
export function compileWildcard(pattern: string): Wildcard {
  const parts = pattern.split('*')
  const [prefix = ''] = parts
  if (parts.length === 1) return { prefix, isOpen: false, matches: (text) => text === pattern }
  const suffix = parts.at(-1) ?? ''
  const middle = parts.slice(1, -1).filter((part) => part !== '')
  return {
    prefix,
    isOpen: true,
    matches: (text) =>
      text.length >= prefix.length + suffix.length &&
      text.startsWith(prefix) &&
      text.endsWith(suffix) &&
      holdsInOrder(text.slice(prefix.length, text.length - suffix.length), middle),
  }
}

/** The leftmost place is always the best one for the parts behind it. */
function holdsInOrder(text: string, parts: readonly string[]): boolean {
  let at = 0
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return true
}
