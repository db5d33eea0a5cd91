import type { ShellWord, SimpleCommand } from '@x/shell-analysis'
import type { OpenPart, Question, RuleHit } from './checker.ts'
import { type AllowedCommand, findCommandAllow } from './command-allow.ts'
import { hasHarmlessAssignments } from './command-forms.ts'
import { isDevice } from './devices.ts'
import { findFileRule, isInside, outside } from './file-checker.ts'
import { isFileCommandInScope } from './file-commands.ts'
import { isMove, targetsOf } from './follow-moves.ts'
import { parseRule } from './parse-rule.ts'
import type { FoundPath } from './places.ts'
import type { ShellCall } from './shell-call.ts'
import { isOpenWord } from './shell-word.ts'
import { suggestCommandRule } from './suggest-command.ts'

/** What lets one command of a script run. */
export type Coverage =
  | AllowedCommand
  | { readonly by: 'mode' }
  | { readonly by: 'tool' }
  /** It only starts others, which are judged apart. */
  | { readonly by: 'others' }
  | { readonly by: 'nothing'; readonly open: OpenPart }

/** Tells for every command of a script what lets it run, those that run in its place included. */
export function coverCommands(question: Question, call: ShellCall): readonly Coverage[] {
  const { commands } = call.analysis
  const covers: Coverage[] = []
  const started = collectStarted(commands)
  // Backwards: a command stands in front of those it starts, and some are harmless only if those are.
  for (const command of commands.toReversed()) {
    covers[command.index] = coverCommand(command, { question, call, covers, started })
  }
  for (const command of commands) {
    const above = ruleAbove(command, commands, covers)
    if (above && covers[command.index]?.by === 'nothing') covers[command.index] = above
  }
  return covers
}

/** What covers the command that starts this one, if it covers this one too. */
function ruleAbove(
  command: SimpleCommand,
  commands: readonly SimpleCommand[],
  covers: readonly Coverage[],
): Coverage | undefined {
  const starter = commands[command.startedBy ?? -1]
  const above = covers[command.startedBy ?? -1]
  if (!starter || above?.by !== 'rule') return undefined
  return above.isExact || hidesWhatItRuns(starter, command) || names(above.hit, starter, command)
    ? above
    : undefined
}

/** A rule on a runner (`sudo *`, `bash -c *`) allows what it runs; one on `git` or `timeout` does not. */
function hidesWhatItRuns({ program = '' }: SimpleCommand, { via }: SimpleCommand): boolean {
  const kind = via.at(-1)?.kind
  return !peeled.has(program) && (kind === 'wrapper' || kind === 'shell' || kind === 'xargs')
}

/** `timeout 45 npx tsx *` says what `timeout` may run, `timeout *` does not. */
function names({ rule }: RuleHit, starter: SimpleCommand, { index, argv }: SimpleCommand): boolean {
  const parts = parseRule(rule.text)
  if (starter.wraps !== index || !parts.ok || parts.specifier === undefined) return false
  const [fixed = ''] = parts.specifier.trim().replace(/:\*$/, ' *').split('*', 1)
  const own = starter.argv.length - argv.length
  return fixed.trimEnd() !== '' && fixed.trimEnd().split(/\s+/).length > own && /\s$/.test(fixed)
}

/** Wrappers that rules look through. */
const peeled: ReadonlySet<string> = new Set(
  'timeout time nice nohup stdbuf command builtin noglob'.split(' '),
)

interface Setting {
  readonly question: Question
  readonly call: ShellCall
  readonly covers: readonly Coverage[]
  readonly started: ReadonlyMap<number, readonly number[]>
}

function coverCommand(command: SimpleCommand, setting: Setting): Coverage {
  const { question, call } = setting
  const rule = findCommandAllow(question, command)
  if (rule) return rule
  if (isTransparent(command)) return { by: 'others' }
  const why = whyNotReadOnly(command, setting)
  if (why === undefined) return { by: 'tool' }
  if (isFileCommandInScope(question, call, command)) return { by: 'mode' }
  return { by: 'nothing', open: { part: command.text, ...suggestCommandRule(command, call), ...why } }
}

/** Does the command itself do nothing but start the commands that are judged apart? */
function isTransparent(command: SimpleCommand): boolean {
  const { program, name } = command
  if (name === undefined || name !== program || !hasHarmlessAssignments(command)) return false
  return isPeeled(command) || startsVisibleScript(command)
}

function isPeeled({ name = '', argv, wraps }: SimpleCommand): boolean {
  const first = argv[1]?.prefix ?? ''
  if (wraps === undefined) return false
  // An option of `time` names a file to write.
  if (name === 'time') return !/^-(?!p$)/.test(first)
  return name === 'xargs' ? !first.startsWith('-') : peeled.has(name)
}

function startsVisibleScript({ name = '', argv, isReadOnly }: SimpleCommand): boolean {
  if (name === 'eval') return argv.length > 1 && argv.every((word) => word.value !== undefined)
  return shells.has(name) && isReadOnly && argv.length > 2
}

const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'dash'])

function whyNotReadOnly(command: SimpleCommand, setting: Setting): OpenPart | undefined {
  const { question, call } = setting
  if (!command.isReadOnly) return { detail: `${command.text} may change something` }
  if (command.argv.some(isOpenWord)) return { detail: `${command.text} holds a value that is not known` }
  if (isMove(command)) return whyNotMove(command, setting)
  if (!isWholeReadOnly(command, setting))
    return { detail: `${command.text} starts something that may change something` }
  if (!areFilesKnown(command)) {
    return { detail: `not all files that ${command.text} reads are known` }
  }
  return filesOf(command, call)
    .filter((path) => !mayRead(question, path))
    .map((path) => outside(path, 'Read', question))[0]
}

/** The files that the arguments of a command name; for git whatever looks like a path. */
function filesOf(command: SimpleCommand, call: ShellCall): readonly FoundPath[] {
  const { index, program, argv } = command
  const words = call.readWords(index)
  const paths =
    program === 'git'
      ? argv.slice(1).filter(({ prefix }) => /^(\/|\.\.(\/|$))|\/\.\.(\/|$)/.test(prefix))
      : []
  const named = [...words, ...paths].flatMap((word) => call.pathsOf(word, index))
  return named.length === 0 && readsFolder.test(program ?? '') ? call.placesOf(index) : named
}

/** Without a path they look at the folder they run in. */
const readsFolder = /^(ls|dir|tree|find|du|rg|fd|fdfind|grep|git)$/

/**
 * A pattern of file names may become an option, which does no harm here unless an option names a file already; a word that
 * begins with a known folder cannot.
 */
function areFilesKnown({ areFilesKnown, argv, program }: SimpleCommand): boolean {
  if (areFilesKnown || readsByItself.has(program ?? '')) return true
  const unsure = argv.filter(({ value, prefix }) => value === undefined && prefix === '')
  return unsure.length > 0 && unsure.every(startsKnown) && !argv.some(({ prefix }) => /^-.*\//.test(prefix))
}

function startsKnown({ pieces: [first] }: ShellWord): boolean {
  if (first?.kind === 'variable') return first.name === 'HOME' || first.name === 'PWD'
  return first?.kind === 'glob' || first?.kind === 'tilde'
}

/** Programs that read more than their arguments name, inside the folder they run in. */
const readsByItself: ReadonlySet<string> = new Set(['git', 'docker', 'lsof', 'rg', 'fd', 'fdfind'])

function isWholeReadOnly({ index }: SimpleCommand, { covers, started }: Setting): boolean {
  return (started.get(index) ?? []).every((own) => covers[own]?.by === 'tool')
}

/** Which commands each command starts. */
function collectStarted(commands: readonly SimpleCommand[]): ReadonlyMap<number, readonly number[]> {
  const started = new Map<number, number[]>()
  for (const { startedBy, index } of commands) {
    if (startedBy !== undefined) started.set(startedBy, [...(started.get(startedBy) ?? []), index])
  }
  return started
}

function mayRead(question: Question, path: FoundPath): boolean {
  if (path.isPattern === true) {
    const isFixed = path.doubt === undefined && !path.plain.includes('/../')
    return isFixed && isInside(path, question)
  }
  return (
    isDevice(path) ||
    isInside(path, question) ||
    findFileRule(question, ['Read', 'Edit'], { behavior: 'allow', path }) !== undefined
  )
}

/** `cd` is harmless inside the working directories. */
function whyNotMove(command: SimpleCommand, { question, call }: Setting): OpenPart | undefined {
  const [target] = targetsOf(command)
  if (command.program === 'popd' || /^[-+]/.test(target?.prefix ?? ''))
    return { detail: `where ${command.text} leads is not known` }
  if (!target) return { detail: `${command.text} leads out of the working directories` }
  return call
    .pathsOf(target, command.index)
    .filter((path) => !mayRead(question, path))
    .map((path) => outside(path, 'Read', question))[0]
}
