import { homedir } from 'node:os'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { ToolUseContext } from '@x/contract'
import { isProcessEnvironment } from './process-environment.ts'
import type { SearchOperations } from './search-operations.ts'

/** Where ripgrep runs and what it is given to search. */
export interface SearchPlace {
  /** Absolute path of the folder that ripgrep runs in; patterns with a slash begin there. */
  readonly root: string
  /** What it searches, relative to the root; begins with `./`, so it is never an option. */
  readonly target: string
  /** It lies in a repository: then what ignore files above that repository say is none of its business. */
  readonly isInRepository: boolean
}

/** The absolute path that a tool's input means: `~` is the home folder, the rest is relative to the working folder. */
export function toAbsolutePath(path: string | undefined, { cwd, options }: PathContext): string {
  if (path === undefined || path === '') return cwd
  if (path === '~' || path.startsWith('~/')) return join(options.env?.['HOME'] ?? homedir(), path.slice(1))
  return resolve(cwd, path)
}

/** What the meaning of a path depends on. */
export type PathContext = Pick<ToolUseContext, 'cwd' | 'options'>

/** Finds the place that a path means. @throws Error for the model if nothing there can be searched. */
export async function findPlace(
  path: string | undefined,
  context: PathContext,
  operations: SearchOperations,
): Promise<SearchPlace> {
  const absolute = toAbsolutePath(path, context)
  if (isProcessEnvironment(absolute)) {
    throw new Error(
      `The environment of a process is not searched, because it may hold credentials: ${absolute}. For the variables of a command use env through Bash.`,
    )
  }
  switch (await operations.kindOf(absolute)) {
    case 'folder':
      return openPlace(absolute, './', operations)
    case 'file':
      return openPlace(dirname(absolute), `./${basename(absolute)}`, operations)
    case 'other':
      throw new Error(`Not a file or folder (a device, pipe or socket), so it is not searched: ${absolute}`)
    case 'missing':
      throw missingPath(absolute, context.cwd)
  }
}

/** The place for a search of this target in this folder. */
export async function openPlace(
  root: string,
  target: string,
  operations: SearchOperations,
): Promise<SearchPlace> {
  return { root, target, isInRepository: await isInRepository(root, operations) }
}

/** A worktree and a submodule have a file there. */
async function isInRepository(start: string, operations: SearchOperations): Promise<boolean> {
  for (let folder = start; ; folder = dirname(folder)) {
    if ((await operations.kindOf(join(folder, '.git'))) !== 'missing') return true
    if (dirname(folder) === folder) return false
  }
}

/** The error for a path where nothing is. */
export function missingPath(path: string, cwd: string): Error {
  return new Error(`Path does not exist: ${path}. The current working directory is ${cwd}.`)
}

/** Turns the paths that ripgrep prints into absolute ones. */
export function createPathJoiner(root: string): (printed: string) => string {
  const prefix = root.endsWith(sep) ? root : root + sep
  return (printed) => prefix + (printed.startsWith('./') ? printed.slice(2) : printed)
}

/** Turns absolute paths into those that are shown: relative where they are below the working folder. */
export function createPathShower(cwd: string): (absolute: string) => string {
  const prefix = cwd.endsWith(sep) ? cwd : cwd + sep
  return (absolute) => (absolute.startsWith(prefix) ? absolute.slice(prefix.length) : absolute)
}
