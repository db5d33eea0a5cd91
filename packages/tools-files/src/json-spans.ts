/** Where a value stands in a JSON text: from its first character to behind its last. */
export interface JsonSpan {
  readonly start: number
  readonly end: number
}

/** A value of an object, with its key. */
export interface JsonMember extends JsonSpan {
  readonly key: string
  /** Where the key's first quote stands. */
  readonly keyStart: number
}

/** Where the value at or behind a position begins. */
export function startOfValue(text: string, position: number): number {
  let start = position
  while (isSpace(text[start])) start++
  return start
}

/** The members of the object that begins at `start`, in order. The text must be JSON: nothing is checked again. */
export function membersOf(text: string, start: number): readonly JsonMember[] {
  return elementsOf(text, start, (keyStart) => {
    const keyEnd = endOfString(text, keyStart)
    const key = String(JSON.parse(text.slice(keyStart, keyEnd)))
    const valueStart = startOfValue(text, text.indexOf(':', keyEnd) + 1)
    return { key, keyStart, start: valueStart, end: endOfValue(text, valueStart) }
  })
}

/** The elements of the array that begins at `start`, in order. The text must be JSON: nothing is checked again. */
export function itemsOf(text: string, start: number): readonly JsonSpan[] {
  return elementsOf(text, start, (itemStart) => ({ start: itemStart, end: endOfValue(text, itemStart) }))
}

function elementsOf<Element extends JsonSpan>(
  text: string,
  start: number,
  find: (position: number) => Element,
): readonly Element[] {
  const elements: Element[] = []
  let position = startOfValue(text, start + 1)
  while (position < text.length && !isClosing(text[position])) {
    const element = find(position)
    elements.push(element)
    position = startOfValue(text, element.end)
    if (text[position] === ',') position = startOfValue(text, position + 1)
  }
  return elements
}

/** Not recursive: outputs may be nested as deep as they like. */
function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start)
  if (text[start] !== '{' && text[start] !== '[') return endOfWord(text, start)
  const marks = /["[\]{}]/g
  marks.lastIndex = start
  let depth = 0
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '"') marks.lastIndex = endOfString(text, mark.index)
    else depth += isClosing(mark[0]) ? -1 : 1
    if (depth === 0) return marks.lastIndex
  }
  return text.length
}

/** A quote ends the string unless an odd number of backslashes stands before it. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let first = quote
    while (text[first - 1] === '\\') first--
    if ((quote - first) % 2 === 0) return quote + 1
  }
  return text.length
}

/** The end of a number, `true`, `false` or `null`. */
function endOfWord(text: string, start: number): number {
  const end = /[\s,\]}]/g
  end.lastIndex = start
  return end.exec(text)?.index ?? text.length
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t'
}

function isClosing(character: string | undefined): boolean {
  return character === ']' || character === '}'
}

/** The text with something else in the place of a value. */
export function splice(text: string, { start, end }: JsonSpan, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end)
}
