import type { Payload, Starter } from './payload.ts'
import type { ShellWord, Via } from './types.ts'
import { restOfWord } from './word.ts'

const via: Via = { kind: 'option', name: 'sed e' }

/** What the command `e` of a sed script runs; the flag `e` of a substitution runs what it makes. */
export function sedPayloads({ rest }: Starter): Payload[] {
  return scriptsOf(rest).flatMap((word): Payload[] => {
    const found = findRuns(textOf(word))
    if (found === 'hidden') return [{ kind: 'problem', message: 'What sed runs is not known', word }]
    return found.map((text): Payload => ({ kind: 'script', text, word, via }))
  })
}

/** Behind `-e`, or the first operand; BSD takes the word behind `-i` for a suffix, so that the second counts too. */
function scriptsOf(words: readonly ShellWord[]): readonly ShellWord[] {
  const marked = words.flatMap((word, index) => {
    const attached = /^(-[nErsuz]*e(?=.)|--e[a-z]*=)/s.exec(word.prefix)
    if (attached) return [restOfWord(word, attached[0].length)]
    const next = words[index + 1]
    return next && /^(-[nErsuzi]*e|--e[a-z]*)$/.test(word.prefix) ? [next] : []
  })
  if (marked.length > 0) return marked
  const operands = words.filter(
    ({ prefix }, index) =>
      !prefix.startsWith('-') && !/^(-[nErsuz]*l|--l[a-z-]*)$/.test(words[index - 1]?.prefix ?? ''),
  )
  return operands.slice(0, operands[0]?.value === '' ? 2 : 1)
}

/** What is not known is a letter: it cannot end a command that is seen. */
function textOf({ pieces }: ShellWord): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.value : 'x')).join('')
}

const address = String.raw`(?:\d+(?:~\d+)?|\$|/(?:\\[\s\S]|[^\\/])*/[IM]*|[+~]\d+)`
const addresses = new RegExp(String.raw`^[\s;]*(?:${address}\s*(?:,\s*${address}\s*)?)?[\s!]*`)

/** The commands that `e` runs; `hidden` where something is run that is not written. */
function findRuns(script: string): readonly string[] | 'hidden' {
  // Whether a mark in brackets ends the pattern depends on the version of sed.
  if (/\[[^\]\n]*[^\s\w\]]/.test(script) && mayRun(script)) return 'hidden'
  const { commands, rest } = splitScript(script)
  const runs = commands.filter((command) => command.startsWith('e')).map((command) => command.slice(1).trim())
  return runs.includes('') || commands.some(runsItsResult) || mayRun(rest) ? 'hidden' : runs
}

/** The commands of a script without their addresses, and what is not read as one. */
function splitScript(script: string): { commands: readonly string[]; rest: string } {
  const commands: string[] = []
  let rest = script
  while (rest !== '') {
    rest = rest.slice(addresses.exec(rest)?.[0].length ?? 0)
    const length = lengthOf(rest.charAt(0), rest)
    if (length === undefined) break
    commands.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return { commands, rest }
}

/** What belongs to a command, by its letter. */
const lengths: readonly (readonly [letters: string, whole: RegExp])[] = [
  ['{}=dDgGhHnNpPxzFlqQL', /^.\s*\d*/],
  ['aic', /^.(?:\\[\s\S]|[^\\\n])*/],
  ['btT:', /^.[^;\n}]*/],
  ['#erRwWv', /^.[^\n]*/],
]

/** The length of the command in front; undefined for what is none. */
function lengthOf(letter: string, script: string): number | undefined {
  if (letter === '') return undefined
  if (letter === 's' || letter === 'y') return readSubstitution(script)?.[0].length
  const whole = lengths.find(([letters]) => letters.includes(letter))?.[1]
  return whole?.exec(script)?.[0].length
}

/** Does a substitution have the flag `e`? */
function runsItsResult(command: string): boolean {
  return command.startsWith('s') && (readSubstitution(command)?.[1] ?? '').includes('e')
}

/** With its flags in the first group. */
function readSubstitution(script: string): RegExpExecArray | undefined {
  const mark = script.charAt(1)
  if (mark === '' || /[\\\n]/.test(mark)) return undefined
  const escaped = /[\]^$.*+?()[{}|/-]/.test(mark) ? `\\${mark}` : mark
  const body = String.raw`(?:\\[\s\S]|[^\\${escaped}])*${escaped}`
  return (
    new RegExp(String.raw`^.${escaped}${body}${body}([gpIiMme\d]*)(?:w[^\n]*)?`).exec(script) ?? undefined
  )
}

/** Of what is not read: may one of its letters be the command or flag `e`? */
function mayRun(script: string): boolean {
  return /(^|[^A-Za-z\\])[gpIiMm\d]*e[gpIiMm\d]*([\s;}]|$)/.test(script)
}
