// The parser takes any depth; whoever writes the data out again has only so much stack.
const MAX_DEPTH = 400

/**
 * Parses a text of the service.
 *
 * @throws SyntaxError for what is not JSON, or nested so deeply that it could not be written out again.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  // Each level takes two characters.
  if (text.length > 2 * MAX_DEPTH && isTooDeep(value)) throw new SyntaxError('it is nested too deeply')
  return value
}

function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}
