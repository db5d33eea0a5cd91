import { parseArguments } from './options.ts'
import type { Payload, Starter } from './payload.ts'
import type { ShellWord } from './types.ts'
import { unknownWord } from './word.ts'
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
    const holdsMark = marks.some(
      (mark) => mark === '' || word.value === undefined || word.value.includes(mark),
    )
    return holdsMark ? unknownWord(word.text, word.span) : word
  })
}
