import type { ShellWord, SimpleCommand } from '@x/shell-analysis'
import type { Finding } from './checker.ts'
import type { ReadLink } from './follow-links.ts'
import { findPath, isBelow, type Places, workingDirectories } from './places.ts'
import { resolvePath } from './resolve-path.ts'
import type { ShellCall } from './shell-call.ts'

/** Finds an `rm` or `rmdir` whose loss could not be borne: the system, the home folder, the project. */
export function findCriticalRemoval(
  call: ShellCall,
  places: Places,
  readLink: ReadLink,
): Finding | undefined {
  for (const command of call.analysis.commands) {
    if (command.program !== 'rm' && command.program !== 'rmdir') continue
    const target = operandsOf(command).find((word) => isCritical(word, command, { call, places, readLink }))
    if (target)
      return { detail: `${command.program} ${target.text} is a critical removal`, part: command.text }
  }
  return undefined
}

/** Behind `--` every word is a target; a dash in front makes an option elsewhere. */
function operandsOf({ argv }: SimpleCommand): readonly ShellWord[] {
  const end = argv.findIndex((word) => word.value === '--')
  return argv.slice(1).filter((word, index) => (end >= 0 && index >= end) || !word.prefix.startsWith('-'))
}

interface Setting {
  readonly call: ShellCall
  readonly places: Places
  readonly readLink: ReadLink
}

function isCritical(word: ShellWord, command: SimpleCommand, setting: Setting): boolean {
  if (mayBecomeRoot(word) || isHiddenRoot(word, command, setting)) return true
  const paths = setting.call.pathsOf(withEmptyVariables(word), command.index)
  return paths.some(({ all }) => all.some((path) => !path.includes('**') && isCriticalPath(path, setting)))
}

/** `/$DIR` is the root if the variable is empty. A variable in front is another matter. */
function withEmptyVariables(word: ShellWord): ShellWord {
  const [first] = word.pieces
  if (first?.kind !== 'text' && first?.kind !== 'tilde') return word
  const isPlain = (piece: ShellWord['pieces'][number]): boolean =>
    piece.kind !== 'unknown' && (piece.kind !== 'variable' || /^(HOME|PWD)$/.test(piece.name))
  return { ...word, pieces: word.pieces.filter(isPlain) }
}

/** `"$DIR"/*` and `$DIR/` are the root if the variable is empty. */
function mayBecomeRoot({ pieces }: ShellWord): boolean {
  return pieces.some((piece, index) => {
    const [next, after] = pieces.slice(index + 1)
    if (!mayBeEmpty(piece)) return false
    if (next?.kind === 'glob') return true
    if (next?.kind !== 'text' || !/^\/+$/.test(next.value)) return false
    return after === undefined || after.kind === 'glob'
  })
}

/** Behind `xargs` and `find -exec` a word with an expansion is known by its text only. */
function isHiddenRoot(
  { pieces: [first, more], text }: ShellWord,
  { index }: SimpleCommand,
  setting: Setting,
): boolean {
  if (first?.kind !== 'unknown' || more !== undefined || first.text !== text) return false
  const path = text.replaceAll(/["'\\]/g, '').replace(/^\$\{?HOME\}?(?=\/|$)/, '~')
  if (path.includes('$')) return /^\$\{?\w+\}?\/+[*.?]*$/.test(path)
  const { call, places, readLink } = setting
  const folders = call.foldersOf(index) ?? [places.cwd]
  return folders.some((cwd) =>
    findPath(path, { home: places.home, cwd }, readLink).all.some((form) => isCriticalPath(form, setting)),
  )
}

function mayBeEmpty(piece: ShellWord['pieces'][number]): boolean {
  if (piece.kind === 'variable') return !/^(HOME|PWD)$/.test(piece.name)
  return piece.kind === 'unknown' && !piece.text.startsWith('{')
}

function isCriticalPath(path: string, { places, readLink }: Setting): boolean {
  const star = /^(.*)\/[.*?]*\*[.*?]*$/.exec(path)
  const base = star ? star[1] || '/' : path
  const own = resolveAll(
    [places.home, places.cwd, ...workingDirectories({ ...places, extraDirs: [] })],
    readLink,
  )
  if (isSystem(path) || (star && base === '/')) return true
  if (own.some((folder) => base === folder)) return true
  if (resolveAll([places.cwd, places.projectDir], readLink).some((folder) => isBelow(folder, base)))
    return true
  return star !== null && resolveAll(places.extraDirs, readLink).some((folder) => isBelow(folder, base))
}

/** The root, what stands right below it, and drives. */
function isSystem(path: string): boolean {
  if (/^\/[^/]*$/.test(path)) return true
  if (/^\/[a-z](\/[^/]*)?$/i.test(path) && process.platform === 'win32') return true
  return process.platform === 'darwin' && /^\/private\/(etc|var|tmp|home)$/.test(path)
}

function resolveAll(folders: readonly string[], readLink: ReadLink): readonly string[] {
  return folders.flatMap((folder) => resolvePath(folder, readLink).all)
}
