import { joinScript, type Payload, type Starter } from './payload.ts'
import type { ShellWord, Via } from './types.ts'
import { restOfWord, unknownWord } from './word.ts'
import { fillIn } from './xargs-payloads.ts'

/** Which words of a program hold a command that it runs. Options stand with their dashes, separated by blanks. */
export interface CommandOptions {
  /** Options whose value is a script for the shell. */
  readonly script?: string
  /** Options whose value is the name of a program; with which arguments is not known. */
  readonly program?: string
  /** Options of which only an attached value counts (`-Oless`); it is the name of a program. */
  readonly attached?: string
  /** Options behind which a command stands, up to `;` or the end. */
  readonly rest?: string
  /** Letters of options that take a value, so that what is attached to them is no group of options. */
  readonly valued?: string
  /** Long options that look like the beginning of one of these and are another. */
  readonly others?: string
  /** Words that hold a command by their own look. */
  readonly words?: readonly CommandWord[]
}

/** A word whose beginning says that a command follows in it. */
export interface CommandWord {
  /** Ends where the command begins. */
  readonly match: RegExp
  /** What follows; `hidden` is in a language that is not read here. */
  readonly holds: 'script' | 'program' | 'hidden'
  /** Whether only the first word behind the name counts. @default false */
  readonly isFirst?: boolean
}

/** What the options of a program make it run, according to its table. */
export function optionPayloads(starter: Starter, table: CommandOptions, kind: Via['kind']): Payload[] {
  const { rest: words, program } = starter
  const payloads: Payload[] = []
  let next = 0
  while (next < words.length) {
    const word = words[next]
    if (word === undefined) break
    if (payloads.length > maxOfOne) return [...payloads, tooMany(word)]
    const patterns = table.words?.filter((one) => one.isFirst !== true || next === 0)
    payloads.push(...wordPayloads(word, patterns, { kind, name: program }))
    next += 1
    const found = findOption(word, table)
    if (!found) continue
    const via: Via = { kind, name: `${program} ${found.name}` }
    const behind = behindOption(found, { word, words, next, via })
    payloads.push(...behind.payloads)
    next = behind.next
  }
  return payloads
}

interface OptionPlace {
  readonly word: ShellWord
  readonly words: readonly ShellWord[]
  readonly next: number
  readonly via: Via
}

/** What an option runs, and where to go on: the value of an option is looked at too, as nobody knows all options. */
function behindOption(
  { holds, value }: Found,
  { word, words, next, via }: OptionPlace,
): { payloads: Payload[]; next: number } {
  if (holds === 'rest') {
    const end = words.findIndex((one, index) => index >= next && one.value === ';')
    const stop = end < 0 ? words.length : end
    const command = [...(value ? [value] : []), ...words.slice(next, stop)]
    return { payloads: restPayload(command, word, via), next: stop }
  }
  const named = value ?? (holds === 'attached' ? undefined : words[next])
  const kind = holds === 'script' ? 'script' : 'program'
  return { payloads: named ? valuePayload(named, kind, via) : [], next }
}

function wordPayloads(word: ShellWord, patterns: CommandOptions['words'] = [], via: Via): Payload[] {
  return patterns.flatMap(({ match, holds }): Payload[] => {
    const found = match.exec(word.prefix)
    if (!found) return []
    if (holds === 'hidden')
      return [{ kind: 'problem', message: `What ${via.name} runs with this is not known`, word }]
    return valuePayload(restOfWord(word, found.index + found[0].length), holds, via)
  })
}

function valuePayload(value: ShellWord, holds: 'script' | 'program', via: Via): Payload[] {
  if (value.value === '') return []
  return holds === 'script' ? [joinScript([value], value, via)] : programPayload(value, via)
}

function programPayload(value: ShellWord, via: Via): Payload[] {
  const words = [value, unknownWord('…', value.span)]
  return [{ kind: 'command', words, assignments: [], via, isWrapped: false }]
}

function restPayload(command: readonly ShellWord[], at: ShellWord, via: Via): Payload[] {
  if (command.length === 0) return []
  if (command.length > maxOfOne) return [tooMany(at)]
  const words = fillIn(command, ['{}', '{/}', '{//}', '{.}', '{/.}'], at)
  const isMarked = words.some((word, index) => word !== command[index])
  const whole = isMarked ? words : [...words, unknownWord('…', at.span)]
  return [{ kind: 'command', words: whole, assignments: [], via, isWrapped: false }]
}

/** Commands in one command, and words of one: a command in a command is looked at again, so that the time stays linear. */
const maxOfOne = 200

function tooMany(word: ShellWord): Payload {
  return { kind: 'problem', message: 'Too many commands in options', word }
}

type Kind = 'script' | 'program' | 'attached' | 'rest'

interface Found {
  readonly holds: Kind
  readonly name: string
  /** Only if it is attached. */
  readonly value: ShellWord | undefined
}

const kinds: readonly Kind[] = ['script', 'program', 'attached', 'rest']

/** `--` ends nothing here: it may be the value of an option that is not in the table. */
function findOption(word: ShellWord, table: CommandOptions): Found | undefined {
  const { prefix } = word
  if (!prefix.startsWith('-') || prefix === '-' || prefix === '--') return undefined
  return findNamed(word, table) ?? (prefix.startsWith('--') ? undefined : findLetter(word, table))
}

/** Options of several letters. A beginning of a long one is as good as the whole, unless it is another option. */
function findNamed(word: ShellWord, table: CommandOptions): Found | undefined {
  const equals = word.prefix.indexOf('=')
  const written = equals < 0 ? word.prefix : word.prefix.slice(0, equals)
  if (namesOf(table.others).includes(written)) return undefined
  const value = equals < 0 ? undefined : restOfWord(word, equals + 1)
  const all = kinds.flatMap((holds) => namesOf(table[holds]).map((name) => ({ holds, name, value })))
  const long = all.filter(({ name }) => name.length > 2)
  const whole = long.find(({ name }) => name === written)
  const isLong = /^--./.test(written)
  return whole ?? (isLong ? long.find(({ name }) => name.startsWith(written)) : undefined)
}

/** A letter in a group; the rest of the group is its value. */
function findLetter(word: ShellWord, table: CommandOptions): Found | undefined {
  for (let at = 1; at < word.prefix.length; at += 1) {
    const letter = word.prefix.charAt(at)
    if (table.valued?.includes(letter)) return undefined
    const holds = kinds.find((kind) => namesOf(table[kind]).includes(`-${letter}`))
    if (holds) return { holds, name: `-${letter}`, value: attachedValue(word, at + 1) }
  }
  return undefined
}

/** Some programs take `-x=value` for `-x value`. */
function attachedValue(word: ShellWord, start: number): ShellWord | undefined {
  if (start >= word.prefix.length && word.value !== undefined) return undefined
  return restOfWord(word, word.prefix.charAt(start) === '=' ? start + 1 : start)
}

const lists = new Map<string, readonly string[]>()

/** The names of a list, split once. */
function namesOf(list: string | undefined): readonly string[] {
  if (list === undefined) return []
  const names = lists.get(list) ?? list.split(' ')
  lists.set(list, names)
  return names
}
