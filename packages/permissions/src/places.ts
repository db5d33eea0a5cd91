import { dirname, isAbsolute, join } from 'node:path'
import type { Disk } from './disk.ts'
import type { PathForms } from './resolve-path.ts'
import type { PermissionRule } from './rule.ts'

/** The folders that rules and checks refer to. Absolute paths. */
export interface Places {
  /** The home folder. */
  readonly home: string
  /** The root of the project. */
  readonly projectDir: string
  /** The folder that the session began in. */
  readonly startDir: string
  /** The folder that relative paths refer to now. */
  readonly cwd: string
  /** The root of a copy of the project that is worked in; undefined where there is none. */
  readonly checkoutDir?: string | undefined
  /** Folders beside `projectDir` and `startDir` whose files may be used. */
  readonly extraDirs: readonly string[]
}

/** A path that was written by the model, found out. */
export interface FoundPath extends PathForms {
  /** As written. */
  readonly text: string
  /** Why it can be no path inside; such a path is never allowed unasked. */
  readonly doubt?: string
  /** Whether it is a pattern of file names, with `**` for text that nobody knows. */
  readonly isPattern?: boolean
}

/** Makes a written path absolute and follows its links. */
export function findPath(text: string, from: Pick<Places, 'home' | 'cwd'>, disk: Disk): FoundPath {
  const doubt = doubtOf(text)
  const forms = disk.resolve(toAbsolute(text.replaceAll('\0', ''), from))
  return doubt === undefined ? { ...forms, text } : { ...forms, text, doubt }
}

function toAbsolute(text: string, { home, cwd }: Pick<Places, 'home' | 'cwd'>): string {
  if (text === '~' || text.startsWith('~/')) return `${home}${text.slice(1)}`
  const drive = /^([A-Za-z]):[\\/](.*)$/s.exec(text)
  if (drive) return `/${(drive[1] ?? '').toLowerCase()}/${(drive[2] ?? '').replaceAll('\\', '/')}`
  return text.startsWith('/') ? text : `${cwd}/${text}`
}

function doubtOf(text: string): string | undefined {
  if (text === '\0') return 'no path is given'
  if (text.includes('\0')) return 'it holds a NUL character'
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return 'it is an address and no path'
  if (/^~[^/]/.test(text)) return 'it names the home folder of another user'
  if (/^\\\\|^\/\/[^/]/.test(text)) return 'it may name another machine'
  return undefined
}

/** The folder that a rule's path beginning with `/` refers to. */
export function sourceFolder(rule: PermissionRule, places: Places): string {
  switch (rule.layer) {
    case 'project':
      return places.projectDir
    case 'user':
      return rule.file === undefined ? join(places.home, '.claude') : dirname(rule.file)
    case 'command-line':
      // Settings that were given as text have a name and no folder.
      return rule.file === undefined || !isAbsolute(rule.file) ? places.startDir : dirname(rule.file)
    default:
      return places.startDir
  }
}

/** Is the path, one of its forms or all of them, one of the folders or below one? */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`)
}

/** Do all forms of the path lie in the working directories? What cannot be resolved does not. */
export function isInWorkingDirectories(path: FoundPath, places: Places, disk: Disk): boolean {
  if (!path.isResolved || path.doubt !== undefined) return false
  const folders = resolvedDirectories(places, disk)
  return path.all.every((form) => folders.some((folder) => isBelow(form, folder)))
}

const resolved = new WeakMap<Disk, { readonly places: Places; readonly folders: readonly string[] }>()

/** Every path of a judgement meets the same folders. */
function resolvedDirectories(places: Places, disk: Disk): readonly string[] {
  const known = resolved.get(disk)
  if (known?.places === places) return known.folders
  const folders = workingDirectories(places).flatMap((folder) => disk.resolve(folder).all)
  resolved.set(disk, { places, folders })
  return folders
}

/** The working directories as written. */
export function workingDirectories({ projectDir, startDir, extraDirs }: Places): readonly string[] {
  return [...new Set([startDir, projectDir, ...extraDirs])]
}
