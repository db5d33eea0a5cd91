import { parse } from 'node:path/posix'
import type { ShellWord, SimpleCommand } from '@x/shell-analysis'
import type { Finding } from './checker.ts'
import type { Disk } from './disk.ts'
import { findPath, isBelow, type Places, workingDirectories } from './places.ts'
import { compileSegment } from './segment-pattern.ts'
import type { ShellCall } from './shell-call.ts'

/** Finds an `rm` or `rmdir` whose loss could not be borne: the system, the home folder, the project. */
export function findCriticalRemoval(call: ShellCall, places: Places, disk: Disk): Finding | undefined {
  const removals = call.analysis.commands.filter(({ program }) => program === 'rm' || program === 'rmdir')
  if (removals.length === 0) return undefined
  const setting = { call, places, disk, folders: collectFolders(places, disk) }
  for (const command of removals) {
    const target = operandsOf(command).find((word) => isCritical(word, command, setting))
    if (target)
      return { detail: `${command.program} ${target.text} is a critical removal`, part: command.text }
  }
  return undefined
}

/** The folders that must stay, links followed. */
function collectFolders(places: Places, disk: Disk): Setting['folders'] {
  const resolveAll = (folders: readonly string[]): readonly string[] =>
    folders.flatMap((folder) => disk.resolve(folder).all)
  return {
    own: new Set(resolveAll([places.home, places.cwd, ...workingDirectories({ ...places, extraDirs: [] })])),
    working: resolveAll([places.cwd, places.projectDir]),
    extra: resolveAll(places.extraDirs),
  }
}

/** Behind `--` every word is a target; a dash in front makes an option elsewhere. */
function operandsOf({ argv }: SimpleCommand): readonly ShellWord[] {
  const end = argv.findIndex((word) => word.value === '--')
  return argv.slice(1).filter((word, index) => (end >= 0 && index >= end) || !word.prefix.startsWith('-'))
}

interface Setting {
  readonly call: ShellCall
  readonly places: Places
  readonly disk: Disk
  readonly folders: {
    /** Themselves. */
    readonly own: ReadonlySet<string>
    /** And all above them. */
    readonly working: readonly string[]
    /** Only everything in them. */
    readonly extra: readonly string[]
  }
}

function isCritical(word: ShellWord, command: SimpleCommand, setting: Setting): boolean {
  if (mayBecomeRoot(word) || isHiddenRoot(word, command, setting) || isSomeHome(word)) return true
  if (writtenPaths(word).some((path) => isCriticalText(path, command, setting))) return true
  const paths = setting.call.pathsOf(withEmptyVariables(word), command.index)
  return paths.some(({ all }) => all.some((path) => !path.includes('**') && isCriticalPath(path, setting)))
}

/** `~name` is the home folder of somebody. */
function isSomeHome({ pieces: [first, ...rest] }: ShellWord): boolean {
  if (first?.kind !== 'tilde' || first.user === '') return false
  return rest.every((piece) => piece.kind === 'text' && /^\/*$/.test(piece.value))
}

/**
 * What the text says where the value is not known: braces hold several words, and a `HOME=...` in front does not count for the `~` of
 * the same command.
 */
function writtenPaths({ pieces, text }: ShellWord): readonly string[] {
  const isHome = pieces[0]?.kind === 'tilde' || (pieces[0]?.kind === 'variable' && pieces[0].name === 'HOME')
  if (pieces.some((piece) => piece.kind === 'unknown' && piece.text.startsWith('{'))) return unbrace(text)
  return isHome ? [text] : []
}

/** The words that braces make; the root stands for too many. */
function unbrace(text: string): readonly string[] {
  let words: readonly string[] = [text]
  while (words.some((word) => braces.test(word))) {
    words = words.flatMap(unbraceOnce)
    if (words.length > maxAlternatives) return ['/']
  }
  return words
}

function unbraceOnce(text: string): readonly string[] {
  const inner = braces.exec(text)
  if (!inner) return [text]
  const before = text.slice(0, inner.index)
  const behind = text.slice(inner.index + inner[0].length)
  return (inner[1] ?? '').split(',').map((one) => before + one + behind)
}

const braces = /\{([^{}]*)\}/
const maxAlternatives = 100

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
  const path = plainPath(text)
  if (path.includes('$')) return /^\$\{?\w+\}?\/+[*.?]*$/.test(path)
  return isCriticalText(path, { index }, setting)
}

function plainPath(text: string): string {
  return text.replaceAll(/["'\\]/g, '').replace(/^\$\{?HOME\}?(?=\/|$)/, '~')
}

function isCriticalText(text: string, { index }: Pick<SimpleCommand, 'index'>, setting: Setting): boolean {
  const { call, places, disk } = setting
  const folders = call.foldersOf(index) ?? [places.cwd]
  return folders.some((cwd) =>
    findPath(plainPath(text), { home: places.home, cwd }, disk).all.some((form) =>
      isCriticalPath(form, setting),
    ),
  )
}

function mayBeEmpty(piece: ShellWord['pieces'][number]): boolean {
  if (piece.kind === 'variable') return !/^(HOME|PWD)$/.test(piece.name)
  return piece.kind === 'unknown' && !piece.text.startsWith('{')
}

function isCriticalPath(path: string, { folders }: Setting): boolean {
  const star = /^(.*)\/[.*?]*\*[.*?]*$/.exec(path)
  const base = star ? star[1] || '/' : path
  if (isSystem(path) || (star && base === '/') || folders.own.has(base)) return true
  if (folders.working.some((folder) => isBelow(folder, base))) return true
  if ([...folders.own, ...folders.working].some((folder) => matchesAbove(path, folder))) return true
  return star !== null && folders.extra.some((folder) => isBelow(folder, base))
}

/** Is the folder, or one above it, among what the pattern `/home/*` matches? */
function matchesAbove(path: string, folder: string): boolean {
  const { dir, base } = parse(path)
  if (!/[*?[]/.test(base) || dir === folder || !isBelow(folder, dir)) return false
  const [name = ''] = folder.slice(dir === '/' ? 1 : dir.length + 1).split('/')
  return compileSegment(base).matches(name)
}

/** The root, what stands right below it, and drives. */
function isSystem(path: string): boolean {
  if (/^\/[^/]*$/.test(path)) return true
  if (/^\/[a-z](\/[^/]*)?$/i.test(path) && process.platform === 'win32') return true
  return process.platform === 'darwin' && /^\/private\/(etc|var|tmp|home)$/.test(path)
}
