import type { ShellWord } from './types.ts'
import { restOfWord } from './word.ts'

/** Which options a program knows, in the notation of getopt. */
export interface OptionTable {
  /** One-letter options; `n:` takes a value, `n::` only an attached one. */
  readonly short?: string
  /** Long options without dashes, separated by blanks; `name:` takes a value, `name::` only behind `=`. */
  readonly long?: string
  /** Whether `-5` is an option. */
  readonly takesNumber?: boolean
  /** Whether the first operand ends the options. */
  readonly stopsAtOperand?: boolean
}

/** An option as found on a command line. */
export interface FoundOption {
  /** With its dashes. */
  readonly name: string
  /** Its value, if it takes one. */
  readonly value: ShellWord | undefined
  /** Whether the table knows it. */
  readonly isKnown: boolean
}

/** A command line split into options and operands. */
export interface ParsedArguments {
  /** In order. */
  readonly options: readonly FoundOption[]
  /** In order. */
  readonly operands: readonly ShellWord[]
  /** The words that may be an option, several words or none, so that the split is not sure. */
  readonly unsure: readonly ShellWord[]
}

interface Draft {
  readonly words: readonly ShellWord[]
  readonly options: FoundOption[]
  readonly operands: ShellWord[]
  readonly unsure: ShellWord[]
  next: number
}

/** Splits the words behind a program's name. Abbreviated long options count as unknown. */
export function parseArguments(words: readonly ShellWord[], table: OptionTable): ParsedArguments {
  const draft: Draft = { words, options: [], operands: [], unsure: [], next: 0 }
  while (draft.next < words.length) {
    const word = words[draft.next]
    if (word === undefined) break
    if (word.value === '--') {
      takeOperands(draft, draft.next + 1)
    } else if (takeOption(word, draft, table)) {
      continue
    } else if (table.stopsAtOperand) {
      noteUnsure(word, draft)
      takeOperands(draft, draft.next)
    } else {
      noteUnsure(word, draft)
      draft.operands.push(word)
      draft.next += 1
    }
  }
  return draft
}

function takeOperands(draft: Draft, from: number): void {
  draft.operands.push(...draft.words.slice(from))
  draft.next = draft.words.length
}

function noteUnsure(word: ShellWord, draft: Draft): void {
  const mayBeOption = word.value === undefined && word.prefix === '' && !startsWithTilde(word)
  if (word.splits || mayBeOption) draft.unsure.push(word)
}

function startsWithTilde(word: ShellWord): boolean {
  return word.pieces[0]?.kind === 'tilde'
}

function takeOption(word: ShellWord, draft: Draft, table: OptionTable): boolean {
  const { prefix } = word
  if (!prefix.startsWith('-') || word.value === '-') return false
  if (word.splits) draft.unsure.push(word)
  draft.next += 1
  if (table.takesNumber && word.value !== undefined && /^-\d+$/.test(word.value)) return true
  if (prefix.startsWith('--')) takeLong(word, draft, table)
  else takeCluster(word, draft, table)
  return true
}

function takeLong(word: ShellWord, draft: Draft, table: OptionTable): void {
  const equals = word.prefix.indexOf('=')
  if (equals < 0 && word.value === undefined) {
    draft.unsure.push(word)
    return
  }
  const name = equals < 0 ? word.prefix : word.prefix.slice(0, equals)
  const arity = longArity(table, name.slice(2))
  const attached = equals < 0 ? undefined : restOfWord(word, equals + 1)
  const isKnown = arity !== undefined && !(arity === 0 && attached)
  const value = attached ?? (arity === 1 ? takeValue(draft) : undefined)
  draft.options.push({ name, value, isKnown })
}

function takeCluster(word: ShellWord, draft: Draft, table: OptionTable): void {
  const short = table.short ?? ''
  for (let at = 1; at < word.prefix.length; at += 1) {
    const letter = word.prefix.charAt(at)
    const arity = shortArity(short, letter)
    const rest =
      at + 1 < word.prefix.length || word.value === undefined ? restOfWord(word, at + 1) : undefined
    if (arity) {
      const value = rest ?? (arity === 1 ? takeValue(draft) : undefined)
      draft.options.push({ name: `-${letter}`, value, isKnown: true })
      return
    }
    draft.options.push({ name: `-${letter}`, value: undefined, isKnown: arity === 0 })
  }
  if (word.value === undefined) draft.unsure.push(word)
}

function takeValue(draft: Draft): ShellWord | undefined {
  const value = draft.words[draft.next]
  if (value) draft.next += 1
  if (value?.splits) draft.unsure.push(value)
  return value
}

/** 0 none, 1 needs one, 2 attached only, undefined not in the table. */
function shortArity(short: string, letter: string): 0 | 1 | 2 | undefined {
  if (letter === ':') return undefined
  const at = short.indexOf(letter)
  if (at < 0) return undefined
  if (short[at + 1] !== ':') return 0
  return short[at + 2] === ':' ? 2 : 1
}

function longArity(table: OptionTable, name: string): 0 | 1 | 2 | undefined {
  const known = (table.long ?? '').split(' ')
  if (name === '' || name.includes(':') || name.includes(' ')) return undefined
  if (known.includes(name)) return 0
  if (known.includes(`${name}:`)) return 1
  return known.includes(`${name}::`) ? 2 : undefined
}
