import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/** Gives the branch of a folder, empty where there is none. It is looked up once for each state of the file that tells it. */
export function createGitBranch(): (cwd: string) => string {
  let known:
    | { readonly cwd: string; readonly head: string; readonly mtimeMs: number; readonly branch: string }
    | undefined
  return (cwd) => {
    const head = known?.cwd === cwd ? known.head : findHead(cwd)
    const mtimeMs = head === '' ? 0 : modifiedAt(head)
    if (known?.cwd !== cwd || known.mtimeMs !== mtimeMs)
      known = { cwd, head, mtimeMs, branch: readBranch(head) }
    return known.branch
  }
}

function findHead(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const head = headOf(join(folder, '.git'))
    if (head !== undefined || folder === dirname(folder)) return head ?? ''
  }
}

/** In a worktree `.git` is a file that says where the folder is. */
function headOf(git: string): string | undefined {
  const stats = statSync(git, { throwIfNoEntry: false })
  if (stats?.isDirectory() === true) return join(git, 'HEAD')
  if (stats?.isFile() !== true) return undefined
  const [, path] = /^gitdir: (.+)$/m.exec(read(git)) ?? []
  if (path === undefined) return undefined
  return join(isAbsolute(path) ? path : resolve(dirname(git), path), 'HEAD')
}

function readBranch(head: string): string {
  if (head === '') return ''
  return /^ref: refs\/heads\/(.+)$/m.exec(read(head))?.[1] ?? 'HEAD'
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
