import type { ShellAnalysis, SimpleCommand } from '@x/shell-analysis'

/** What exit code 1 means where it is an answer and no failure. */
const MEANING_OF_ONE: Readonly<Record<string, string>> = {
  grep: 'No matches found',
  egrep: 'No matches found',
  fgrep: 'No matches found',
  rg: 'No matches found',
  'git grep': 'No matches found',
  find: 'Some directories were inaccessible',
  diff: 'Files differ',
  'git diff': 'Files differ',
  test: 'Condition is false',
  '[': 'Condition is false',
}

/** Options of git itself whose value is the next word. */
const GIT_OPTIONS_WITH_VALUE = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--config-env',
])

/** Says what the exit code means where it is a valid answer; `undefined` where it is a plain success or failure. */
export function interpretExit(code: number, analysis: ShellAnalysis): string | undefined {
  if (code !== 1 || analysis.exitCommand === undefined) return undefined
  const command = analysis.commands[analysis.exitCommand]
  return command === undefined ? undefined : MEANING_OF_ONE[nameOf(command)]
}

function nameOf(command: SimpleCommand): string {
  const program = command.program ?? ''
  return program === 'git' ? `git ${gitVerb(command)}` : program
}

function gitVerb({ argv }: SimpleCommand): string {
  let at = 1
  while (argv[at]?.value?.startsWith('-') === true) {
    at += GIT_OPTIONS_WITH_VALUE.has(argv[at]?.value ?? '') ? 2 : 1
  }
  return argv[at]?.value ?? ''
}
