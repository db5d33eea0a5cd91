import { type SessionPlace, type SessionStore, TranscriptError } from '@x/transcript'
import { listWorktrees } from '@x/worktree'

/**
 * Finds a session by what a person called it: here, in the worktrees of the repository, then wherever only one answers to it.
 *
 * @throws Error with the words that scripts know and, on a line of its own, where names can be looked up; TranscriptError otherwise.
 */
export async function findNamed(store: SessionStore, idOrName: string, cwd: string): Promise<SessionPlace> {
  try {
    return await findAnywhere(store, idOrName, cwd)
  } catch (error) {
    if (!isNotFound(error)) throw error
    throw new Error(`${error.message}\nx sessions list shows what there is; with --all, of every folder.`, {
      cause: error,
    })
  }
}

async function findAnywhere(store: SessionStore, idOrName: string, cwd: string): Promise<SessionPlace> {
  try {
    return await store.find(idOrName, cwd)
  } catch (error) {
    // Several may answer to it; one in a worktree is meant before all others. Only then git has to be asked.
    const worktrees = isNotFound(error) ? await listWorktrees({ cwd }).catch(() => []) : []
    if (worktrees.length === 0) throw error
    return store.find(idOrName, [cwd, ...worktrees.flatMap(({ worktree: { path, root } }) => [path, root])])
  }
}

function isNotFound(error: unknown): error is TranscriptError {
  return error instanceof TranscriptError && error.code === 'not-found'
}
