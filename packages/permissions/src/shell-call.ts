import { analyzeShell, type FileAccess, type ShellAnalysis, type ShellWord } from '@x/shell-analysis'
import type { ReadLink } from './follow-links.ts'
import { type Folders, followMoves } from './follow-moves.ts'
import type { FoundPath, Places } from './places.ts'
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
}

/** Analyses a command once for all checks. */
export function createShellCall(source: string, places: Places, readLink: ReadLink): ShellCall {
  const analysis = analyzeShell(source)
  const kept = keptVariables(analysis)
  const folders = followMoves(analysis, { places, kept, readLink })
  const foldersOf = (command: number | undefined): Folders =>
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

function isAnchored({ pieces: [first] }: ShellWord): boolean {
  return first?.kind === 'tilde' || (first?.kind === 'text' && first.value.startsWith('/'))
}
