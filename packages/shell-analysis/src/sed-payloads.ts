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
  const operands = words.filter(({ prefix }) => !prefix.startsWith('-'))
  return operands.slice(0, operands[0]?.value === '' ? 2 : 1)
}

/** What is not known is a letter: it cannot end a command that is seen. */
function textOf({ pieces }: ShellWord): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.value : 'x')).join('')
}

const address = String.raw`(?:\d+(?:~\d+)?|\$|/(?:\\[\s\S]|[^\\/])*/[IM]*|[+~]\d+)`
const addresses = new RegExp(String.raw`^[\s;]*(?:${address}\s*(?:,\s*${address}\s*)?)?[\s!]*`)

/** The commands of a script, its labels and file names apart. */
function findRuns(script: string): string[] | 'hidden' {
  // Whether a mark in brackets ends the pattern depends on the version of sed.
  if (/\[[^\]\n]*[^\s\w\]]/.test(script) && mayRun(script)) return 'hidden'
  const runs: string[] = []
  let rest = script
  while (rest.trim() !== '') {
    rest = rest.slice(addresses.exec(rest)?.[0].length ?? 0)
    const letter = rest.charAt(0)
    if (letter === '') break
    const length = lengthOf(letter, rest)
    if (length === undefined) return mayRun(rest) ? 'hidden' : runs
    if (letter === 'e') {
      const command = rest.slice(1, length).trim()
      if (command === '') return 'hidden'
      runs.push(command)
    }
    rest = rest.slice(length)
  }
  return runs
}

/** The length of the command in front; undefined for one that runs text it makes, or is not known. */
function lengthOf(letter: string, script: string): number | undefined {
  if ('sy'.includes(letter)) return substitutionLength(script)
  if ('{}=dDgGhHnNpPxzFlqQL'.includes(letter)) return /^.\s*\d*/.exec(script)?.[0].length
  if ('aic'.includes(letter)) return /^.(?:\\[\s\S]|[^\\\n])*/.exec(script)?.[0].length
  if ('btT:'.includes(letter)) return /^.[^;\n}]*/.exec(script)?.[0].length
  return '#erRwWv'.includes(letter) ? /^.[^\n]*/.exec(script)?.[0].length : undefined
}

function substitutionLength(script: string): number | undefined {
  const mark = script.charAt(1)
  if (mark === '' || /[\\\n\w\s]/.test(mark)) return undefined
  const escaped = /[\]^$.*+?()[{}|/-]/.test(mark) ? `\\${mark}` : mark
  const body = String.raw`(?:\\[\s\S]|[^\\${escaped}])*${escaped}`
  const found = new RegExp(String.raw`^.${escaped}${body}${body}[gpIiMm\d]*(e?)(?:w[^\n]*)?`).exec(script)
  return found && found[1] === '' ? found[0].length : undefined
}

/** Of what is not read: may one of its letters be the command or flag `e`? */
function mayRun(script: string): boolean {
  return /(^|[^A-Za-z\\])[gpIiMm\d]*e[gpIiMm\d]*([\s;}]|$)/.test(script)
}
