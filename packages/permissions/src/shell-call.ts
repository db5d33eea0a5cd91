import { analyzeShell, type FileAccess, type ShellAnalysis, type ShellWord } from '@x/shell-analysis'
import type { Disk } from './disk.ts'
import { type Folders, followMoves } from './follow-moves.ts'
import { type FoundPath, findPath, type Places } from './places.ts'
import { findWordPath, keptVariables } from './shell-word.ts'

/** A shell command with what rules and checks want to know of it. */
export interface ShellCall {
  /** The command as written. */
  readonly source: string
  /** What it runs, reads and writes. */
  readonly analysis: ShellAnalysis
  /** The folders a command may run in: `cd` in front of it may have moved it or not. Undefined: anywhere. */
  readonly foldersOf: (command: number | undefined) => Folders
  /** The files that a word of a command may name, one for each folder. */
  readonly pathsOf: (word: ShellWord, command: number | undefined) => readonly FoundPath[]
  /** The folders of a command as paths; none where it may run anywhere. */
  readonly placesOf: (command: number) => readonly FoundPath[]
  /** All files that the script opens to read, each with the paths it may be. */
  readonly reads: readonly FoundAccess[]
  /** All files that it opens to write, creates, changes or removes. */
  readonly writes: readonly FoundAccess[]
  /** The words of a command that name files it reads. */
  readonly readWords: (command: number) => readonly ShellWord[]
  /** The words of a command that name files it changes. */
  readonly writeWords: (command: number) => readonly ShellWord[]
}

/** A file that a script opens. */
interface FoundAccess {
  /** Who opens it, and how it is written. */
  readonly access: FileAccess
  /** The paths it may be. */
  readonly paths: readonly FoundPath[]
}

/** Analyses a command once for all checks. */
export function createShellCall(source: string, places: Places, disk: Disk): ShellCall {
  const analysis = analyzeShell(source)
  const kept = keptVariables(analysis)
  const folders = followMoves(analysis, { places, kept, disk })
  const foldersOf = (command: number | undefined): Folders =>
    command === undefined ? folders.at(-1) : folders[command]
  const found = new Map<string, FoundPath>()
  const pathIn = (word: ShellWord, cwd: string): FoundPath => {
    // Words of the same text in different quotes are not the same, and neither are parts of one word.
    const key = `${cwd} ${word.pieces.map(({ kind }) => kind).join()} ${word.prefix} ${word.text}`
    const path = found.get(key) ?? findWordPath(word, { places: { ...places, cwd }, kept, disk })
    found.set(key, path)
    return path
  }
  const pathsOf = (word: ShellWord, command: number | undefined): readonly FoundPath[] => {
    const own = foldersOf(command)
    if (own) return own.map((cwd) => pathIn(word, cwd))
    const path = pathIn(word, places.cwd)
    return [isAnchored(word) ? path : { ...path, doubt: 'which folder it is in is not known' }]
  }
  const placesOf = (command: number): readonly FoundPath[] =>
    (foldersOf(command) ?? []).map((cwd) => findPath('.', { home: places.home, cwd }, disk))
  return { source, analysis, foldersOf, pathsOf, placesOf, ...collectAccesses(analysis, pathsOf) }
}

function collectAccesses(
  analysis: ShellAnalysis,
  pathsOf: ShellCall['pathsOf'],
): Pick<ShellCall, 'reads' | 'writes' | 'readWords' | 'writeWords'> {
  const find = (access: FileAccess): FoundAccess => ({ access, paths: pathsOf(access.word, access.command) })
  return {
    reads: analysis.reads.map(find),
    writes: analysis.writes.map(find),
    readWords: groupWords(analysis.reads),
    writeWords: groupWords(analysis.writes),
  }
}

function groupWords(accesses: readonly FileAccess[]): (command: number) => readonly ShellWord[] {
  const groups = new Map<number | undefined, ShellWord[]>()
  for (const { by, command, word } of accesses) {
    if (by === 'redirection') continue
    const words = groups.get(command)
    if (words) words.push(word)
    else groups.set(command, [word])
  }
  return (command) => groups.get(command) ?? []
}

function isAnchored({ pieces: [first] }: ShellWord): boolean {
  return first?.kind === 'tilde' || (first?.kind === 'text' && first.value.startsWith('/'))
}
