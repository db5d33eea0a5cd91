import {
  analyzeShell,
  type FileAccess,
  type ShellAnalysis,
  type ShellWord,
  type SimpleCommand,
} from '@x/shell-analysis'
import type { ReadLink } from './follow-links.ts'
import type { FoundPath, Places } from './places.ts'
import { findWordPath, keptVariables, type WordSetting } from './shell-word.ts'

/** A shell command with what rules and checks want to know of it. */
export interface ShellCall {
  /** The command as written. */
  readonly source: string
  /** What it runs, reads and writes. */
  readonly analysis: ShellAnalysis
  /** The folders a command may run in: `cd` in front of it may have moved it or not. Undefined: anywhere. */
  readonly foldersOf: (command: number | undefined) => readonly string[] | undefined
  /** The files that a word of a command may name, one for each folder. */
  readonly pathsOf: (word: ShellWord, command: number | undefined) => readonly FoundPath[]
}

/** More than this and nobody can tell where a command runs. */
const maxFolders = 8

/** Analyses a command once for all checks. */
export function createShellCall(source: string, places: Places, readLink: ReadLink): ShellCall {
  const analysis = analyzeShell(source)
  const kept = keptVariables(analysis)
  const folders = followMoves(analysis.commands, { places, kept, readLink })
  const foldersOf = (command: number | undefined): readonly string[] | undefined =>
    command === undefined ? folders.at(-1) : folders[command]
  return {
    source,
    analysis,
    foldersOf,
    pathsOf: (word, command) => {
      const own = foldersOf(command)
      if (own) return own.map((cwd) => findWordPath(word, { places: { ...places, cwd }, kept, readLink }))
      const found = findWordPath(word, { places, kept, readLink })
      return [isAnchored(word) ? found : { ...found, doubt: 'which folder it is in is not known' }]
    },
  }
}

/** All files of one kind that the script opens, each with the paths it may be. */
export function accessesOf(
  call: ShellCall,
  kind: 'reads' | 'writes',
): readonly { access: FileAccess; paths: readonly FoundPath[] }[] {
  return call.analysis[kind].map((access) => ({ access, paths: call.pathsOf(access.word, access.command) }))
}

/** For each command, and behind the last, the folders it may run in. */
function followMoves(
  commands: readonly SimpleCommand[],
  setting: WordSetting,
): readonly (readonly string[] | undefined)[] {
  // In a loop or a function the commands in front of a `cd` may run behind it.
  const isTwisted = commands.some(isMove) && commands.some(({ via }) => via.some(isRepeated))
  let current: readonly string[] | undefined = isTwisted ? undefined : [setting.places.cwd]
  const all: (readonly string[] | undefined)[] = []
  for (const command of commands) {
    all.push(current)
    if (isMove(command)) current = move(command, current, setting)
  }
  return [...all, current]
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

function move(
  command: SimpleCommand,
  from: readonly string[] | undefined,
  setting: WordSetting,
): readonly string[] | undefined {
  const [target, more] = targetsOf(command)
  if (from === undefined || more || command.program === 'popd') return undefined
  if (!target) return command.program === 'pushd' ? undefined : union(from, [setting.places.home])
  // `cd -` and `pushd +1` go back to where the shell was before.
  if (/^[-+]/.test(target.prefix)) return undefined
  const ways = from.map((cwd) => findWordPath(target, { ...setting, places: { ...setting.places, cwd } }))
  if (ways.some((way) => way.isPattern === true || way.doubt !== undefined)) return undefined
  return union(
    from,
    ways.map((way) => way.plain),
  )
}

function union(one: readonly string[], two: readonly string[]): readonly string[] | undefined {
  const all = [...new Set([...one, ...two])]
  return all.length > maxFolders ? undefined : all
}

function isAnchored({ pieces: [first] }: ShellWord): boolean {
  return first?.kind === 'tilde' || (first?.kind === 'text' && first.value.startsWith('/'))
}
