import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import process from 'node:process'
import type { CommandHandler, ConfiguredHook } from '@x/hooks'
import { isExecutable } from '@x/process'
import { analyzeShell, type ShellWord, type SimpleCommand } from '@x/shell-analysis'

/** Where a command would run. */
export interface CommandPlace {
  /** The folder of the project; relative paths start there. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Why the command of a hook would not start: its script is missing or may not be executed, or its program is not found. Undefined where
 * nothing is known against it: only what runs first, whatever happens, is looked at, and only what the text tells without a shell.
 */
export function findCommandProblem(
  { handler, plugin }: ConfiguredHook,
  { cwd, env }: CommandPlace,
): string | undefined {
  if (handler.type !== 'command' || handler.shell === 'powershell' || process.platform === 'win32')
    return undefined
  const variables = { HOME: homedir(), CLAUDE_PROJECT_DIR: cwd, CLAUDE_PLUGIN_ROOT: plugin?.root }
  const [program = '', ...words] = readWords(handler, variables)
  const isBuiltIn = program === '' || (handler.args === undefined && shellBuiltIns.has(program))
  const problem = isBuiltIn ? undefined : judgeProgram(program, { cwd, env })
  return problem ?? judgeScript(program, words, cwd)
}

function judgeProgram(program: string, { cwd, env }: CommandPlace): string | undefined {
  if (program.includes('/')) return judgeFile(resolve(cwd, program), true)
  return isOnPath(program, env['PATH']) ? undefined : `${program} is not found on the PATH`
}

/** Program and arguments; undefined ones only the shell knows. */
function readWords({ command, args }: CommandHandler, variables: Variables): readonly (string | undefined)[] {
  return args === undefined
    ? readFirst(command, variables)
    : [command, ...args].map((word) => fill(word, variables))
}

type Variables = Readonly<Record<string, string | undefined>>

/** The words of the command that runs first, behind its wrappers (`timeout 5 X`). */
function readFirst(script: string, variables: Variables): readonly (string | undefined)[] {
  const { commands, isUnderstood } = analyzeShell(withPlainValues(script, variables))
  let first: SimpleCommand | undefined = commands[0]
  while (first?.wraps !== undefined) first = commands[first.wraps]
  const isSure =
    isUnderstood &&
    first?.via.every(({ kind }) => kind === 'wrapper' || kind === 'group') === true &&
    first.assignments.every(({ name }) => name !== 'PATH')
  return isSure ? (first?.argv.map((word) => valueOf(word, variables)) ?? []) : []
}

/** Unquoted, a variable could be several words, and the analysis would not know the program; a plain value is one. */
function withPlainValues(script: string, variables: Variables): string {
  return script.replace(/\$(?:\{(\w+)\}|(\w+))/g, (all, braced?: string, bare?: string) => {
    const value = variables[braced ?? bare ?? '']
    return value !== undefined && /^[\w./-]+$/.test(value) ? value : all
  })
}

function valueOf(word: ShellWord, variables: Variables): string | undefined {
  const parts = word.pieces.map((piece) => {
    if (piece.kind === 'text') return piece.value
    if (piece.kind === 'tilde') return piece.user === '' ? variables['HOME'] : undefined
    const value = piece.kind === 'variable' ? variables[piece.name] : undefined
    // Unquoted, it may become several words.
    return piece.kind === 'variable' && !piece.quoted && /\s/.test(value ?? '') ? undefined : value
  })
  return parts.every((part) => part !== undefined) ? parts.join('') : undefined
}

/** The placeholders that a program without a shell gets filled in. */
function fill(word: string, variables: Variables): string {
  return word.replace(/\$\{(\w+)\}/g, (all, name: string) => variables[name] ?? all)
}

/** The file that an interpreter is given; options in front of it may mean anything. */
function judgeScript(
  program: string,
  [script]: readonly (string | undefined)[],
  cwd: string,
): string | undefined {
  const name = program.slice(program.lastIndexOf('/') + 1)
  const isScript = interpreters.test(name) && script !== undefined && /^[^-].*(\/|\.\w+$)/.test(script)
  return isScript ? judgeFile(resolve(cwd, script), false) : undefined
}

const interpreters = /^(?:\.|source|(?:ba|da|k|z)?sh|fish|node|bun|perl|php|ruby|python[\d.]*)$/

function judgeFile(path: string, mustBeExecutable: boolean): string | undefined {
  try {
    if (statSync(path).isDirectory()) return `${path} is a folder`
    return mustBeExecutable && !isExecutable(path)
      ? `${path} may not be executed; chmod +x makes it so`
      : undefined
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isMissing ? `${path} does not exist` : undefined
  }
}

function isOnPath(program: string, path = ''): boolean {
  return path.split(delimiter).some((folder) => isExecutable(join(folder, program)))
}

const shellBuiltIns: ReadonlySet<string> = new Set(
  `. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit
  export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return
  set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait`.split(
    /\s+/,
  ),
)
