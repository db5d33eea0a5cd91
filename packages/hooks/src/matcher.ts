/** Tells whether the hooks of a group are meant. */
export type Matcher = (subject: string) => boolean

/** A matcher, or why it cannot be read. */
export type CompiledMatcher =
  | { readonly ok: true; readonly matches: Matcher }
  | { readonly ok: false; readonly message: string }

const nameCharacters = { wide: /^[A-Za-z0-9_\- ,|]*$/, narrow: /^[A-Za-z0-9_|]*$/ }

/** Reads a matcher: everything, a list of exact names, or a regular expression that may hit anywhere. */
export function compileMatcher(
  text: string | undefined,
  names: keyof typeof nameCharacters = 'wide',
): CompiledMatcher {
  if (text === undefined || text === '' || text === '*') return { ok: true, matches: () => true }
  if (nameCharacters[names].test(text)) {
    const exact = new Set(
      text
        .split(/[|,]/)
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    )
    return { ok: true, matches: (subject) => exact.has(subject) }
  }
  try {
    const expression = new RegExp(text)
    return { ok: true, matches: (subject) => expression.test(subject) }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}
