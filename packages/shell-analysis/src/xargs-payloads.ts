import { parseArguments } from './options.ts'
import type { Payload, Starter } from './payload.ts'
import type { ShellWord } from './types.ts'
import { createWord, unknownWord } from './word.ts'
import { xargsOptions } from './wrappers.ts'

/** The command of `xargs`, with an unknown word for what comes from its input. */
export function xargsPayloads({ head, rest }: Starter): Payload[] {
  const { options, operands, unsure } = parseArguments(rest, xargsOptions)
  const strange = options.find((option) => !option.isKnown)
  if (strange) return [{ kind: 'problem', message: `xargs ${strange.name} is not known`, word: head }]
  if (unsure[0]) return [{ kind: 'problem', message: 'What xargs runs is not known', word: unsure[0] }]
  if (operands.length === 0) return []
  const marks = options.flatMap((option) => {
    if (option.name === '-I' || option.name === '-J') return [option.value?.value ?? '']
    return option.name === '-i' || option.name === '--replace' ? [option.value?.value || '{}'] : []
  })
  const words = fillIn(operands, marks, head)
  return [{ kind: 'command', words, assignments: [], via: { kind: 'xargs' }, isWrapped: true }]
}

/** Replaces words that hold a mark; without marks the input is appended. */
export function fillIn(words: readonly ShellWord[], marks: readonly string[], at: ShellWord): ShellWord[] {
  if (marks.length === 0) return [...words, unknownWord('…', at.span)]
  return words.map((word) => {
    const holdsMark = marks.some((mark) => mark === '' || textsOf(word).some((text) => text.includes(mark)))
    return holdsMark ? filledWord(word, marks) : word
  })
}

/** The word as written, and as far as it is known. */
function textsOf({ text, value, pieces }: ShellWord): readonly string[] {
  if (value !== undefined) return [value]
  return [text, pieces.map((piece) => (piece.kind === 'text' ? piece.value : '')).join('')]
}

/** Which option a word is stays known in front of the mark. */
function filledWord(word: ShellWord, marks: readonly string[]): ShellWord {
  const ends = marks.map((mark) => word.prefix.indexOf(mark)).filter((at) => at >= 0)
  const option = word.prefix.slice(0, Math.min(word.prefix.length, ...ends))
  if (!option.startsWith('-')) return unknownWord(word.text, word.span)
  return createWord(word.text, word.span, [
    { kind: 'text', value: option },
    { kind: 'unknown', text: word.text, quoted: false },
  ])
}
