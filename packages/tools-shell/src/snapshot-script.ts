import type { ShellKind } from './find-shell.ts'

/** How a shell is made to read a start-up file and write down what it defines. */
export interface SnapshotScript {
  /** Options of the shell. Interactive, because start-up files leave early where nobody is there. */
  readonly options: readonly string[]
  /** Gets the file to write, the start-up file and a mark that divides the parts. */
  readonly text: string
}

interface Words {
  readonly options: string
  readonly functions: string
  readonly aliases: string
}

/**
 * The trap writes everything down also where the start-up file ends the shell. `set +u` and the like because it may have
 * switched on what makes the rest fail. The mark at the very end tells that nothing is missing.
 */
function writeScript({ options, functions, aliases }: Words): string {
  const parts = [functions, aliases, options].map((words) => `\\builtin ${words}; \\builtin echo "$__x_mark"`)
  const trapped = `\\builtin set +euxv; { ${parts.join('; ')}; } >>"$__x_dump" 2>/dev/null`
  return [
    '__x_dump=$1; __x_file=$2; __x_mark=$3; shift 3',
    `{ \\builtin ${options}; \\builtin echo "$__x_mark"; } >|"$__x_dump"`,
    `trap '${trapped}' EXIT`,
    '. "$__x_file" >/dev/null 2>&1',
    'exit 0',
  ].join('; ')
}

/** The script of each shell that has one. */
export const snapshotScripts: Readonly<Record<ShellKind, SnapshotScript | undefined>> = {
  bash: {
    options: ['--norc', '--noprofile', '-i'],
    text: writeScript({ options: 'shopt -p', functions: 'declare -f', aliases: 'alias -p' }),
  },
  zsh: {
    options: ['-f', '-i'],
    text: writeScript({ options: 'setopt', functions: 'typeset -f', aliases: 'alias -L' }),
  },
  sh: undefined,
}

/** What would make commands fail or talk that are right elsewhere, or that belongs to a terminal. */
const UNWANTED_OPTIONS =
  /\b(?:login_shell|restricted_shell|failglob|errexit|errreturn|nounset|xtrace|verbose|noexec|monitor|zle|interactive)\b/

/** Asks before it acts, and nobody answers: the command would do nothing and say that all is well. */
const ASKING_ALIAS = /^alias (?:-- )?(?:rm|cp|mv|ln)=.*(?:\s-[a-zA-Z]*[iI]|--interactive)/

/** Makes the file that commands read of what the script wrote; '' when there is nothing to take over or a part is missing. */
export function composeSnapshot(kind: ShellKind, dump: string, mark: string): string {
  const [before = '', functions = '', aliases = '', after = '', end] = dump.split(`${mark}\n`)
  if (end === undefined) return ''
  const lines = [...linesOf(functions), ...optionLines(kind, before, after), ...aliasLines(kind, aliases)]
  return lines.join('\n')
}

/** Only what the start-up file changed. */
function optionLines(kind: ShellKind, before: string, after: string): string[] {
  const known = new Set(linesOf(before))
  const changed = linesOf(after).filter((line) => !known.has(line) && !UNWANTED_OPTIONS.test(line))
  return kind === 'zsh' ? changed.map((name) => `setopt ${name}`) : changed
}

function aliasLines(kind: ShellKind, aliases: string): string[] {
  const wanted = linesOf(aliases).filter((line) => !ASKING_ALIAS.test(line))
  if (wanted.length === 0) return []
  return [kind === 'zsh' ? 'setopt aliases' : 'shopt -s expand_aliases', ...wanted]
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}
