/** One segment of a path pattern, compiled. */
export interface SegmentPattern {
  /** The one name that it matches, if there is only one. */
  readonly literal: string | undefined
  /** Does it match the name? */
  matches(name: string): boolean
  /** Is there a name that both this and another pattern, as the shell reads it, match? */
  meets(other: string): boolean
}

type Token =
  | { readonly kind: 'star' }
  | { readonly kind: 'one'; readonly literal?: string; holds(character: string): boolean }

/** Compiles a segment: `*` is any text, `?` one character, `[a-z]` one of several, `\` takes the next one as it is. */
export function compileSegment(text: string): SegmentPattern {
  const tokens = tokenize(text)
  const isLiteral = !/[*?[\\]/.test(text)
  return {
    literal: isLiteral ? text : undefined,
    matches: isLiteral ? (name) => name === text : (name) => matchTokens(tokens, Array.from(name)),
    meets: (other) => meetTokens(tokens, tokenizeLast(other)),
  }
}

let lastText = ''
let lastTokens: readonly Token[] = []

/** The same name meets many patterns in a row. */
function tokenizeLast(text: string): readonly Token[] {
  if (text !== lastText) {
    lastTokens = tokenize(text)
    lastText = text
  }
  return lastTokens
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  for (const piece of text.match(/\\.|\[[!^]?\]?[^\]]*\]|./gsu) ?? []) {
    if (piece !== '*') tokens.push(toToken(piece))
    else if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' })
  }
  return tokens
}

function toToken(piece: string): Token {
  if (piece === '?') return { kind: 'one', holds: () => true }
  if (piece.length > 1 && piece.startsWith('[')) return { kind: 'one', holds: compileClass(piece) }
  const literal = piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece
  return { kind: 'one', literal, holds: (character) => character === literal }
}

function compileClass(text: string): (character: string) => boolean {
  const isNegated = /^\[[!^]/.test(text)
  const members = [...text.slice(isNegated ? 2 : 1, -1).matchAll(/(.)-(.)|(.)/gsu)]
  const holds = (character: string): boolean =>
    members.some(([, low, high, single]) =>
      single === undefined ? (low ?? '') <= character && character <= (high ?? '') : single === character,
    )
  return (character) => holds(character) !== isNegated
}

/** Greedy, and on a mismatch back to the last star only. */
function matchTokens(tokens: readonly Token[], name: readonly string[]): boolean {
  let at = 0
  let token = 0
  let star = -1
  let resume = 0
  while (at < name.length) {
    const current = tokens[token]
    if (current?.kind === 'star') {
      star = token
      resume = at
      token += 1
    } else if (current?.holds(name[at] ?? '')) {
      at += 1
      token += 1
    } else {
      if (star < 0) return false
      resume += 1
      at = resume
      token = star + 1
    }
  }
  while (tokens[token]?.kind === 'star') token += 1
  return token === tokens.length
}

/** Is there a name that both match? A star at the start of what the shell expands skips names with a dot in front. */
function meetTokens(pattern: readonly Token[], other: readonly Token[]): boolean {
  const [first] = pattern
  const [start] = other
  if (first?.kind === 'one' && first.literal === '.' && isOpen(start)) return false
  return meetFrom(pattern, other, new Set())
}

type Rest = readonly Token[]

function meetFrom(pattern: Rest, other: Rest, seen: Set<string>): boolean {
  const key = `${pattern.length} ${other.length}`
  if (seen.has(key)) return false
  seen.add(key)
  if (pattern.length + other.length === 0) return true
  return waysOn(pattern, other).some(([one, two]) => meetFrom(one, two, seen))
}

/** What is left to compare: a star may end here, or take in what the other side has next. */
function waysOn(pattern: Rest, other: Rest): readonly (readonly [Rest, Rest])[] {
  const [one, ...ones] = pattern
  const [two, ...twos] = other
  if (one?.kind === 'star')
    return two
      ? [
          [ones, other],
          [pattern, twos],
        ]
      : [[ones, other]]
  if (two?.kind === 'star')
    return one
      ? [
          [pattern, twos],
          [ones, other],
        ]
      : [[pattern, twos]]
  return one && two && overlap(one, two) ? [[ones, twos]] : []
}

function isOpen(token: Token | undefined): boolean {
  return token?.kind === 'star' || (token?.kind === 'one' && token.literal === undefined)
}

function overlap(one: Extract<Token, { kind: 'one' }>, two: Extract<Token, { kind: 'one' }>): boolean {
  if (two.literal !== undefined) return one.holds(two.literal)
  return one.literal === undefined || two.holds(one.literal)
}
