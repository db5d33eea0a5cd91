import { type SessionPlace, type SessionStore, TranscriptError } from '@x/transcript'

/**
 * Finds a session by what a person called it.
 *
 * @throws Error with the words that scripts know and, on a line of its own, where names can be looked up; TranscriptError otherwise.
 */
export async function findNamed(store: SessionStore, idOrName: string, cwd: string): Promise<SessionPlace> {
  try {
    return await store.find(idOrName, cwd)
  } catch (error) {
    if (!(error instanceof TranscriptError) || error.code !== 'not-found') throw error
    throw new Error(`${error.message}\nx sessions list shows what there is; with --all, of every folder.`, {
      cause: error,
    })
  }
}
