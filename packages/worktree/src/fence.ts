import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { isInside, realPathOf, standingAt } from './paths.ts'
import type { Worktree } from './types.ts'

/** What keeps paths out of checkouts that are closed to the work. */
export interface Fence {
  /** Says what a path would reach if that is forbidden: a closed checkout but for the worktree. */
  reaches(path: string, cwd: string): Promise<string | undefined>
}

/** Puts the fence around a worktree: its main checkout is closed, and the one that the work comes from. */
export function createFence(worktree: Worktree, from: string | undefined): Fence {
  const closed = closedFolders(worktree, from)
  return {
    async reaches(path, cwd) {
      const real = await realPathOf(absolute(path, cwd))
      if (isInside(real, worktree.path)) return undefined
      return (await closed).some((folder) => isInside(real, folder)) ? real : undefined
    },
  }
}

/** Real paths. A session may run in a worktree that its user has put somewhere else. */
async function closedFolders({ root }: Worktree, from: string | undefined): Promise<readonly string[]> {
  return from === undefined ? [root] : [root, await realPathOf(await topOf(from))]
}

/** The top of the checkout that a folder is in; outside of one the folder itself. */
async function topOf(start: string): Promise<string> {
  for (let folder = start; ; folder = dirname(folder)) {
    // A worktree and a submodule have a file there.
    if ((await standingAt(join(folder, '.git'))) !== 'nothing') return folder
    if (dirname(folder) === folder) return start
  }
}

function absolute(path: string, cwd: string): string {
  if (path === '~') return homedir()
  if (path.startsWith('~/')) return resolve(homedir(), path.slice(2))
  return isAbsolute(path) ? path : resolve(cwd, path)
}
