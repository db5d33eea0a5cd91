import type { ShellAnalysis, ShellWord, SimpleCommand } from '@x/shell-analysis'
import { findWordPath, type WordSetting } from './shell-word.ts'

/** The folders that a command may run in; undefined where it may be any. */
export type Folders = readonly string[] | undefined

/** More than this and nobody can tell where a command runs. */
const maxFolders = 8

/** More moves than this and the way is not followed. */
const maxMoves = 20

/** For each command, and behind the last, the folders it may run in. */
export function followMoves({ commands, source }: ShellAnalysis, setting: WordSetting): readonly Folders[] {
  // In a loop or a function the commands in front of a `cd` may run behind it.
  const moves = commands.filter(isMove).length
  const isTwisted = moves > maxMoves || (moves > 0 && commands.some(({ via }) => via.some(isRepeated)))
  const all: Folders[] = []
  let state: State = {
    moved: isTwisted ? undefined : [setting.places.cwd],
    sure: undefined,
    before: undefined,
  }
  for (const command of commands) {
    const gap = gapBetween(state.before, command, source)
    const here = staysSure(gap, state.before) ? (state.sure ?? state.moved) : state.moved
    all.push(here)
    state = behind(command, { gap, here, state, setting })
  }
  return [...all, state.moved]
}

interface State {
  /** Where the shell may be, whatever came of the commands before. */
  readonly moved: Folders
  /** Where it is if the last `cd` was reached and did not fail. */
  readonly sure: Folders
  /** The last command that is part of no other. */
  readonly before: SimpleCommand | undefined
}

/** Behind `cd DIR &&` the shell is there, and so it is in a pipe behind that. */
function staysSure(gap: string | undefined, before: SimpleCommand | undefined): boolean {
  if (gap === undefined || gap === '&&') return true
  return gap === '|' && before !== undefined && !isMove(before)
}

interface Step {
  readonly gap: string | undefined
  readonly here: Folders
  readonly state: State
  readonly setting: WordSetting
}

function behind(command: SimpleCommand, { gap, here, state, setting }: Step): State {
  const before = command.via.length === 0 ? command : state.before
  const sure = staysSure(gap, state.before) ? state.sure : undefined
  if (!isMove(command)) return { moved: state.moved, sure, before }
  const targets = findTargets(command, here, setting)
  // Elsewhere the `cd` may have failed, or moved a subshell only.
  const isReached = gap !== undefined && /^(;|&&)?$/.test(gap)
  return { moved: union(state.moved, targets), sure: isReached ? targets : undefined, before }
}

/** What stands in front of a command that is part of no other; undefined for one that is. */
function gapBetween(
  before: SimpleCommand | undefined,
  { span, via }: SimpleCommand,
  source: string,
): string | undefined {
  return via.length > 0 ? undefined : source.slice(before?.span.end ?? 0, span.start).trim()
}

function isRepeated({ kind }: SimpleCommand['via'][number]): boolean {
  return kind === 'loop' || kind === 'function' || kind === 'trap' || kind === 'alias'
}

/** Does the command move the shell to another folder? */
export function isMove({ program }: SimpleCommand): boolean {
  return program === 'cd' || program === 'pushd' || program === 'popd' || program === 'chdir'
}

/** The words of a `cd` that say where to. */
export function targetsOf({ argv }: SimpleCommand): readonly ShellWord[] {
  return argv.slice(1).filter((word) => !/^-[LPe@]+$|^--$/.test(word.value ?? ''))
}

function findTargets(command: SimpleCommand, from: Folders, setting: WordSetting): Folders {
  const [target, more] = targetsOf(command)
  if (from === undefined || more || command.program === 'popd') return undefined
  if (!target) return command.program === 'pushd' ? undefined : [setting.places.home]
  // `cd -` and `pushd +1` go back to where the shell was before.
  if (/^[-+]/.test(target.prefix)) return undefined
  const ways = from.map((cwd) => findWordPath(target, { ...setting, places: { ...setting.places, cwd } }))
  if (ways.some((way) => way.isPattern === true || way.doubt !== undefined)) return undefined
  return ways.map((way) => way.plain)
}

function union(one: Folders, two: Folders): Folders {
  if (one === undefined || two === undefined) return undefined
  const all = [...new Set([...one, ...two])]
  return all.length > maxFolders ? undefined : all
}
