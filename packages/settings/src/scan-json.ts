/** One piece of the text of a JSON file; white space and comments lie between pieces. */
export interface JsonToken {
  /** A bracket, comma or colon stands for itself. `unclosed` is a string or comment without an end. */
  readonly kind: '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'word' | 'unclosed' | 'end'
  /** Where it begins. */
  readonly offset: number
  /** Where the text behind it begins. */
  readonly end: number
}

/** Reads the next piece of JSON with comments at or behind an offset. Never throws, always moves on. */
export function scanJson(text: string, from: number): JsonToken {
  const offset = skipTrivia(text, from)
  const first = text[offset]
  if (first === undefined) return { kind: 'end', offset, end: offset }
  if (isPunctuation(first)) return { kind: first, offset, end: offset + 1 }
  if (first === '"') return scanString(text, offset)
  if (text.startsWith('/*', offset)) return { kind: 'unclosed', offset, end: text.length }
  return { kind: 'word', offset, end: endOfWord(text, offset) }
}

/** The offset of the first character that is neither white space nor in a complete comment. */
function skipTrivia(text: string, from: number): number {
  let offset = from
  for (;;) {
    while (isSpace(text.charCodeAt(offset))) offset += 1
    if (text.startsWith('//', offset)) {
      offset = endOfLine(text, offset)
    } else if (text.startsWith('/*', offset)) {
      const close = text.indexOf('*/', offset + 2)
      if (close === -1) return offset
      offset = close + 2
    } else {
      return offset
    }
  }
}

/** The offset of the line's end at or behind an offset: before its line feed and carriage return. */
export function endOfLine(text: string, from: number): number {
  let offset = from
  while (offset < text.length && text[offset] !== '\n' && text[offset] !== '\r') offset += 1
  return offset
}

function scanString(text: string, offset: number): JsonToken {
  let end = offset + 1
  while (end < text.length) {
    const character = text[end]
    if (character === '"') return { kind: 'string', offset, end: end + 1 }
    if (character === '\n' || character === '\r') break
    end += character === '\\' ? 2 : 1
  }
  return { kind: 'unclosed', offset, end: Math.min(end, text.length) }
}

/** A word is a number, `true`, or whatever somebody wrote without double quotes, such as 'text in single ones'. */
function endOfWord(text: string, offset: number): number {
  if (text[offset] === "'") {
    const close = text.indexOf("'", offset + 1)
    if (close !== -1 && !/[\r\n]/.test(text.slice(offset, close))) return close + 1
  }
  let end = offset + 1
  while (end < text.length && !endsWord(text[end])) end += 1
  return end
}

function endsWord(character: string | undefined): boolean {
  return (
    character === undefined ||
    isPunctuation(character) ||
    character === '"' ||
    character === '/' ||
    isSpace(character.charCodeAt(0))
  )
}

function isPunctuation(character: string): character is '{' | '}' | '[' | ']' | ',' | ':' {
  return '{}[],:'.includes(character)
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}
