import type { ParsedArguments } from '../options.ts'
import type { ShellWord } from '../types.ts'
import { isLoopVariable } from '../variables.ts'

/** `-v` and `-R` evaluate a subscript, which can run a command. */
export function refuseTest(_parsed: ParsedArguments, args: readonly ShellWord[]): string | undefined {
  const words = args.at(-1)?.value === ']' ? args.slice(0, -1) : args
  const evaluates = words.some((word) => word.splits || word.value === '-v' || word.value === '-R')
  return evaluates || mayHideOperator(words) ? 'test may evaluate a subscript' : undefined
}

/** The number of words decides which are operators: an unknown one must stand where only an operand can. */
function mayHideOperator(words: readonly ShellWord[]): boolean {
  const isUnknown = (index: number) => words[index]?.value === undefined
  if (words.length === 2) return isUnknown(0)
  if (words.length === 3) return isUnknown(1)
  return words.length > 3 && words.some((word) => word.value === undefined)
}

/** `printf -v NAME` and the format `%n` set a variable. */
export function refusePrintf(_parsed: ParsedArguments, args: readonly ShellWord[]): string | undefined {
  const format = args[0]?.value === '--' ? args[1] : args[0]
  if (!format) return undefined
  // Of all formats only %n stores something, also behind a length (`%ln`).
  const isPlain = format.value !== undefined && !/^-v|%[^a-zA-Z%]*[hjlLtqzZ]*n/.test(format.value)
  return isPlain ? undefined : 'printf may set a variable'
}

/** `read` may set loop variables only. */
export function refuseRead(_parsed: ParsedArguments, args: readonly ShellWord[]): string | undefined {
  const names = args.filter((word) => word.value !== '-r')
  return names.every((word) => isLoopVariable(word.value ?? '')) ? undefined : 'read may set a variable'
}
