import { type JsonEntry, type JsonNode, type JsonObject, type PathStep, toKeyText } from './json-node.ts'
import { type JsonToken, scanJson } from './scan-json.ts'

/** Something in the text that is not JSON with comments and trailing commas. */
export interface JsonFault {
  /** Where it is. */
  readonly offset: number
  /** The keys around it. */
  readonly path: readonly PathStep[]
  /** What is wrong and what to do, with the key, without the line. */
  readonly message: string
}

/** What could be read of a text. */
export interface ParsedJson {
  /** The value; nothing if the text holds none or a broken one. */
  readonly root: JsonNode | undefined
  /** Everything that is wrong, in the order of the text. */
  readonly faults: readonly JsonFault[]
  /** The reading ended early: which bracket belongs to which could not be told any more. */
  readonly isCut: boolean
}

const maxDepth = 64
/** Beyond these it is no settings file, and a message each would be too many. */
const maxFaults = 1000
/** The same for values, which schemas take long to check. */
const maxValues = 100_000
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * Reads JSON with comments and trailing commas, and as much as is certain of a text with faults.
 *
 * A fault that leaves the brackets in order (a bad word or escape, a comma forgotten at the end of a line) costs its own value. After
 * any other, a bracket may close what it should not: an entry of one list would be taken for one of the next. So the
 * entry of the root in which such a fault lies is left out, and nothing behind it is read. Never throws.
 */
export function parseJson(text: string): ParsedJson {
  const parser = new Parser(text)
  const root = parser.parseRoot()
  return { root, faults: parser.faults, isCut: parser.isCut }
}

class Parser {
  readonly faults: JsonFault[] = []
  isCut = false
  readonly #text: string
  readonly #path: PathStep[] = []
  #end = 0
  #isOver = false
  #values = 0

  constructor(text: string) {
    this.#text = text
  }

  parseRoot(): JsonNode | undefined {
    const first = this.#peek()
    if (first.kind === 'end') return undefined
    if (first.kind === 'unclosed') return this.#cut(first, 'has no end; close it')
    const root = this.#parseValue('')
    const rest = this.#peek()
    if (!this.isCut && rest.kind !== 'end') {
      this.#cut(rest, 'stands behind the closing bracket; check the brackets')
    }
    return root.kind === 'object' || !this.isCut ? root : undefined
  }

  #parseValue(step: PathStep): JsonNode {
    const token = this.#take()
    this.#values += 1
    if (this.#values > maxValues) this.#giveUp(token.offset, `more than ${maxValues} values`)
    const place = { offset: token.offset, end: token.end, step }
    if (token.kind === '{') return this.#parseContainer(token, step)
    if (token.kind === '[') return this.#parseContainer(token, step)
    if (token.kind === 'string') return this.#parseString(token, step)
    if (token.kind === 'word') return this.#parseWord(token, step)
    this.#cut(token, token.kind === 'unclosed' ? 'has no end; close it' : 'stands where a value is expected')
    return { kind: 'damage', ...place }
  }

  #parseContainer(open: JsonToken, step: PathStep): JsonNode {
    if (this.#path.length >= maxDepth) return this.#skipContainer(open, step)
    return open.kind === '{' ? this.#parseObject(open, step) : this.#parseArray(open, step)
  }

  #parseObject(open: JsonToken, step: PathStep): JsonObject {
    const entries = new Map<string, JsonEntry>()
    while (!this.#isAtEnd('}')) {
      const name = this.#parseName()
      if (name === undefined) break
      this.#path.push(name.key)
      const value = this.#parseValue(name.key)
      if (!this.isCut) this.#endItem(value, '}')
      // What stood before a fault is as doubtful as the fault: it is kept only if its end was in order.
      if (!this.isCut && !name.isDropped) this.#keepEntry(entries, name, value)
      this.#path.pop()
    }
    return { kind: 'object', entries, offset: open.offset, end: this.#end, step }
  }

  #keepEntry(entries: Map<string, JsonEntry>, name: Name, value: JsonNode): void {
    if (name.key === '__proto__') {
      return this.#note(name.keyOffset, 'is no name for a setting and is left out; remove it')
    }
    if (entries.has(name.key)) {
      this.#note(name.keyOffset, 'stands twice; only this last one counts, so make one of both')
    }
    entries.delete(name.key)
    entries.set(name.key, { keyOffset: name.keyOffset, value })
  }

  #parseArray(open: JsonToken, step: PathStep): JsonNode {
    const items: JsonNode[] = []
    while (!this.#isAtEnd(']')) {
      this.#path.push(items.length)
      const item = this.#parseValue(items.length)
      if (!this.isCut) this.#endItem(item, ']')
      if (!this.isCut) items.push(item)
      this.#path.pop()
    }
    return { kind: 'array', items, offset: open.offset, end: this.#end, step }
  }

  /** Takes the closing bracket; a comma that closes nothing is skipped with a note. */
  #isAtEnd(close: '}' | ']'): boolean {
    for (;;) {
      if (this.isCut || this.#isOver) return true
      const token = this.#peek()
      if (token.kind === close) {
        this.#take()
        return true
      }
      if (token.kind !== ',') return false
      this.#take()
      this.#note(token.offset, 'has a comma too many; remove it')
    }
  }

  #parseName(): Name | undefined {
    const token = this.#take()
    const isString = token.kind === 'string'
    const colon = this.#peek()
    if ((!isString && token.kind !== 'word') || colon.kind !== ':') {
      this.#cut(
        isString ? colon : token,
        isString ? 'stands where a colon is expected' : whereNameExpected(token),
      )
      return undefined
    }
    this.#take()
    const source = this.#text.slice(token.offset, token.end)
    const decoded = isString ? decodeString(source) : undefined
    const key = decoded ?? source
    if (decoded === undefined) {
      this.#path.push(key)
      this.#note(token.offset, 'is left out: write its name in double quotes, with valid escapes')
      this.#path.pop()
    }
    return { key, keyOffset: token.offset, isDropped: decoded === undefined }
  }

  /** What may follow an item: a comma, the closing bracket, the next line's item (with a note), or the end of the text. */
  #endItem(item: JsonNode, close: '}' | ']'): void {
    const token = this.#peek()
    if (token.kind === ',') return void this.#take()
    if (token.kind === close) return
    if (token.kind === 'end') return this.#endText(item, token)
    const gap = this.#text.slice(item.end, token.offset)
    const opens = close === ']' ? ['string', 'word', '{', '['] : ['string']
    if (!gap.includes('\n') || !opens.includes(token.kind)) {
      this.#cut(token, `stands where a comma or ${close} is expected`)
      return
    }
    this.#note(item.end, 'has no comma behind it; add one')
  }

  /** Of a text that lost its end the root's last entry counts if it was complete. */
  #endText(item: JsonNode, token: JsonToken): void {
    const isWord = item.kind === 'scalar' && typeof item.value !== 'string'
    if (this.#path.length > 1 || isWord) {
      this.#cut(token, 'ends too early; a bracket is missing')
    } else {
      this.#isOver = true
      this.#note(token.offset, 'is the last entry, and the closing bracket is missing behind it; add it')
    }
  }

  #parseString(token: JsonToken, step: PathStep): JsonNode {
    const value = decodeString(this.#text.slice(token.offset, token.end))
    const place = { offset: token.offset, end: token.end, step }
    if (value !== undefined) return { kind: 'scalar', value, ...place }
    this.#note(
      token.offset,
      'is text with a bad escape or a control character; write \\\\ for a backslash, \\t for a tab',
    )
    return { kind: 'damage', ...place }
  }

  #parseWord(token: JsonToken, step: PathStep): JsonNode {
    const word = this.#text.slice(token.offset, token.end)
    const place = { offset: token.offset, end: token.end, step }
    if (word === 'true' || word === 'false') return { kind: 'scalar', value: word === 'true', ...place }
    if (word === 'null') return { kind: 'scalar', value: null, ...place }
    if (numberPattern.test(word) && Number.isFinite(Number(word))) {
      return { kind: 'scalar', value: Number(word), ...place }
    }
    this.#note(
      token.offset,
      `is ${JSON.stringify(word.slice(0, 40))}, which is no JSON; write text in double quotes`,
    )
    return { kind: 'damage', ...place }
  }

  #skipContainer(open: JsonToken, step: PathStep): JsonNode {
    this.#note(open.offset, `is nested more than ${maxDepth} levels deep and is left out`)
    for (let depth = 1; depth > 0; ) {
      const { kind } = this.#take()
      if (kind === '{' || kind === '[') depth += 1
      if (kind === '}' || kind === ']') depth -= 1
      if (kind === 'end' || kind === 'unclosed') {
        this.#cut({ kind, offset: this.#end, end: this.#end }, 'ends too early; a bracket is missing')
        break
      }
    }
    return { kind: 'damage', offset: open.offset, end: this.#end, step }
  }

  #peek(): JsonToken {
    return scanJson(this.#text, this.#end)
  }

  #take(): JsonToken {
    const token = this.#peek()
    this.#end = token.end
    return token
  }

  #note(offset: number, message: string): void {
    if (this.faults.length >= maxFaults) return this.#giveUp(offset, `more than ${maxFaults} faults`)
    const subject = this.#path.length === 0 ? 'the file' : toKeyText(this.#path)
    this.faults.push({ offset, path: [...this.#path], message: `${subject} ${message}` })
  }

  #giveUp(offset: number, reason: string): void {
    this.isCut = true
    this.faults.push({ offset, path: [], message: `nothing is read from here on: ${reason}` })
  }

  #cut(token: JsonToken, what: string): undefined {
    this.isCut = true
    const source = this.#text.slice(token.offset, Math.min(token.end, token.offset + 40))
    const subject = token.kind === 'end' ? 'the file' : JSON.stringify(source)
    const path = this.#path.slice(0, 1)
    const effect =
      path.length === 0
        ? 'nothing is read from here on'
        : `${toKeyText(path)} is left out and nothing is read behind it`
    this.faults.push({ offset: token.offset, path, message: `${effect}: ${subject} ${what}` })
    return undefined
  }
}

interface Name {
  readonly key: string
  readonly keyOffset: number
  readonly isDropped: boolean
}

function whereNameExpected(token: JsonToken): string {
  return token.kind === 'unclosed'
    ? 'has no end; close it'
    : 'stands where a name in double quotes is expected'
}

function decodeString(source: string): string | undefined {
  try {
    const value: unknown = JSON.parse(source)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
