import { analyzeShell } from '../src/index.ts'

/** The commands of a script as plain text: words by their value, unknown ones as `?`. */
export function commandsOf(script: string): string[] {
  return analyzeShell(script).commands.map(({ argv }) => argv.map((word) => word.value ?? '?').join(' '))
}

/** `yes` and `no` for read-only, `?` for not understood. */
export function verdictOf(script: string): 'yes' | 'no' | '?' {
  const { isUnderstood, isReadOnly } = analyzeShell(script)
  if (!isUnderstood) return '?'
  return isReadOnly ? 'yes' : 'no'
}

/** Whether a rule against the program would see it, or the script is asked about as a whole. */
export function isCaught(script: string, program: string): boolean {
  const { isUnderstood, isReadOnly, commands } = analyzeShell(script)
  return !isReadOnly && (!isUnderstood || commands.some((command) => command.program === program))
}
