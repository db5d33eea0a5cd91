import { ask } from './cannot-tell.ts'
import type { Git, GitCall } from './git.ts'
import { splitNul } from './git-output.ts'

/** One path that git tracks in a worktree. */
interface IndexEntry {
  /** It is another repository (a submodule). */
  readonly isRepository: boolean
  /** Git was told not to look at the file (`assume-unchanged`, `skip-worktree`). */
  readonly isFlagged: boolean
  /** Several versions of it wait to be merged. */
  readonly isUnmerged: boolean
}

/** What git tracks in a worktree. */
export interface Index {
  /** By path from the top, with slashes. */
  readonly entries: ReadonlyMap<string, IndexEntry>
  /** All folders that hold a tracked path, by path from the top. */
  readonly folders: ReadonlySet<string>
}

/** Reads the index of a worktree. */
export async function readIndex(git: Git, call: GitCall): Promise<Index> {
  const lines = splitNul(await ask(git, ['ls-files', '-s', '-v', '-z'], call))
  const entries = new Map<string, IndexEntry>()
  const folders = new Set<string>()
  for (const line of lines) {
    const tab = line.indexOf('\t')
    const path = line.slice(tab + 1)
    const [tag = '', mode, , stage] = line.slice(0, tab).split(' ')
    entries.set(path, {
      isRepository: mode === '160000',
      isFlagged: tag !== 'H' && tag !== 'M',
      isUnmerged: stage !== '0',
    })
    addFolders(path, folders)
  }
  return { entries, folders }
}

/** Adds every folder above a path. */
export function addFolders(path: string, folders: Set<string>): void {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const folder = path.slice(0, end)
    if (folders.has(folder)) return
    folders.add(folder)
  }
}
