import { basename } from 'node:path'
import type { Environment } from './command-environment.ts'
import type { Shell, ShellKind } from './find-shell.ts'

/** What one command needs around it. */
export interface ShellLineRequest {
  /** The shell. */
  readonly shell: Shell
  /** The text of the command, never touched. */
  readonly command: string
  /** A file that the shell writes its last folder to. */
  readonly folderFile: string
  /** A file with functions, aliases and options; '' for none. */
  readonly snapshotFile: string
  /** A file of `export` lines; '' for none. */
  readonly environmentFile: string
  /** A program that gets the whole line as one argument. */
  readonly prefix: string | undefined
}

/** A program to start, its arguments, and what its environment has besides. */
export interface ShellLine {
  /** The program. */
  readonly program: string
  /** Its arguments. */
  readonly args: readonly string[]
  /** Variables it gets besides. */
  readonly env: Environment
}

/**
 * The command travels in a variable of its own, whole and unquoted, so that no character of it means anything on the way.
 * Not as an argument: then `pkill -f` with a word of the command would find the very shell that runs it.
 */
const COMMAND_VARIABLE = 'X_SHELL_COMMAND'

/** Makes what is started to run one command in a shell and learn where it ended. */
export function toShellLine(request: ShellLineRequest): ShellLine {
  const { shell, command, folderFile, snapshotFile, environmentFile, prefix } = request
  const name = basename(shell.path)
  const args = ['-c', scripts[shell.kind], name, folderFile, snapshotFile, environmentFile]
  const plain = shell.kind === 'zsh' ? ['-f', ...args] : args
  if (prefix === undefined) return { program: shell.path, args: plain, env: { [COMMAND_VARIABLE]: command } }
  // The prefix is there to see the command, so the command is in the line.
  const line = [`${COMMAND_VARIABLE}=${quote(command)}`, ...[shell.path, ...plain].map(quote)].join(' ')
  return { program: shell.path, args: ['-c', `${prefix} "$1"`, name, line], env: {} }
}

/**
 * The command runs in the shell itself, so that `cd` can be seen. The trap tells where it ended also after `exit`, the line
 * behind it also where the command has a trap of its own. One line, so that line numbers in messages are those of the command,
 * and parsed before there is any alias.
 */
function writeScript({ builtin, separator }: { builtin: string; separator: string }): string {
  // Nothing of this shows in a trace the command has switched on.
  const tellFolder = `{ __x_code=$?; ${builtin}set +x; } 2>/dev/null; ${builtin}pwd -P >|"$__x_folder" 2>/dev/null`
  return [
    `__x_command=$${COMMAND_VARIABLE}; unset ${COMMAND_VARIABLE}`,
    '__x_folder=$1; __x_snapshot=$2; __x_environment=$3; shift 3',
    '[ ! -r "$__x_environment" ] || . "$__x_environment" >/dev/null 2>&1',
    '[ ! -r "$__x_snapshot" ] || . "$__x_snapshot" >/dev/null 2>&1',
    `${builtin}trap '${tellFolder}' EXIT`,
    `${builtin}eval ${separator}"$__x_command"`,
    tellFolder,
    `${builtin}exit $__x_code`,
  ].join('; ')
}

// A function of the user's may have the name of a builtin; dash knows no `builtin`.
const scripts: Readonly<Record<ShellKind, string>> = {
  bash: writeScript({ builtin: '\\builtin ', separator: '-- ' }),
  zsh: writeScript({ builtin: '\\builtin ', separator: '-- ' }),
  sh: writeScript({ builtin: '', separator: '' }),
}

/** Makes one word of any text. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
