/** As many patterns may a pattern with braces stand for. */
const maxPatterns = 1000

/**
 * The patterns that a pattern with braces stands for: `{a,b}/*.{ts,tsx}` is four. Braces without a comma are taken as they are.
 * Nothing if they are more than 1,000, or if a brace has no partner.
 */
export function expandBraces(pattern: string): readonly string[] | undefined {
  if (!pattern.includes('{') && !pattern.includes('}')) return [pattern]
  const reader = { pattern, at: 0 }
  const patterns = readSequence(reader, 0)
  return reader.at < pattern.length ? undefined : patterns
}

interface Reader {
  readonly pattern: string
  at: number
}

/** Deeper nesting than this is no pattern somebody wrote. */
const maxDepth = 20

/** Reads up to the comma or brace that ends an alternative. */
function readSequence(reader: Reader, depth: number): readonly string[] | undefined {
  let patterns: readonly string[] = ['']
  while (reader.at < reader.pattern.length) {
    const character = reader.pattern.charAt(reader.at)
    if (depth > 0 && (character === ',' || character === '}')) return patterns
    if (character === '}') return undefined
    const choices = character === '{' ? readBraces(reader, depth + 1) : [readPlain(reader)]
    if (choices === undefined || choices.length * patterns.length > maxPatterns) return undefined
    patterns = patterns.flatMap((start) => choices.map((end) => start + end))
  }
  return depth > 0 ? undefined : patterns
}

/** Reads from a brace to its partner. */
function readBraces(reader: Reader, depth: number): readonly string[] | undefined {
  const choices: string[] = []
  let commas = 0
  if (depth > maxDepth) return undefined
  for (;;) {
    reader.at += 1
    const sequence = readSequence(reader, depth)
    if (sequence === undefined || choices.length + sequence.length > maxPatterns) return undefined
    choices.push(...sequence)
    if (reader.pattern.charAt(reader.at) === '}') break
    commas += 1
  }
  reader.at += 1
  return commas === 0 ? choices.map((choice) => `{${choice}}`) : choices
}

/** One character, an escaped one or a class, so that braces in it are none. */
function readPlain(reader: Reader): string {
  const [piece = ''] = /^(?:\\[^]|\[[!^]?\]?[^\]]*\]|[^])/.exec(reader.pattern.slice(reader.at)) ?? []
  reader.at += piece.length
  return piece
}
