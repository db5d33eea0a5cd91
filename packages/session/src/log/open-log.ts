import { access } from 'node:fs/promises'
import { createSessionStore, readTranscript, type SessionPlace, type SessionStore } from '@x/transcript'
import type { QueryOptions } from '../session-options.ts'
import { version } from '../version.ts'
import { worktreeRecordType } from '../worktrees/worktree-record.ts'
import { createGitBranch } from './git-branch.ts'
import { createMemoryLog } from './memory-log.ts'
import type { SessionLog } from './session-log.ts'
import { openTranscriptLog } from './transcript-log.ts'

/** Where and how a session is written down. */
export interface OpenLogFacts {
  readonly options: Pick<QueryOptions, 'resume' | 'forkSession' | 'resumeSessionAt' | 'persistSession'>
  readonly sessionId: string
  /** The folder the session begins in. */
  readonly cwd: string
  readonly stateFolder: string
  /** The working folder now. */
  readonly now: () => { readonly cwd: string }
  readonly signal: AbortSignal
}

/**
 * Opens what the session is written to: a new transcript, one that goes on, a copy of one, or nothing.
 *
 * @throws TranscriptError for a session that is not there, is in use or cannot be read.
 * @throws Error for the id of a session that is there already.
 */
export async function openLog(facts: OpenLogFacts): Promise<SessionLog> {
  const { options, sessionId, stateFolder, now, signal } = facts
  const store = createSessionStore({ stateFolder })
  if (options.persistSession === false) return openUnkept(store, facts)
  const place = await findPlace(store, facts)
  const gitBranch = createGitBranch()
  return openTranscriptLog({
    place,
    sessionId,
    resumeAt: options.forkSession === true ? undefined : options.resumeSessionAt,
    facts: () => ({ cwd: now().cwd, version, gitBranch: gitBranch(now().cwd) }),
    signal,
  })
}

/** Nothing is written; what was written before may be gone on from. */
async function openUnkept(
  store: SessionStore,
  { options: { resume, forkSession, resumeSessionAt }, sessionId, cwd, signal }: OpenLogFacts,
): Promise<SessionLog> {
  if (resume === undefined) return createMemoryLog(sessionId)
  const { path } = await store.find(resume, cwd)
  const { messages, metadata } = await readTranscript(path, {
    signal,
    ...(resumeSessionAt === undefined ? {} : { resumeAt: resumeSessionAt }),
  })
  // It must not work beside the worktree that it was in.
  const worktree = forkSession === true ? undefined : metadata.get(worktreeRecordType)
  return createMemoryLog(sessionId, messages, worktree && new Map([[worktreeRecordType, worktree]]))
}

async function findPlace(
  store: SessionStore,
  { options, sessionId, cwd }: OpenLogFacts,
): Promise<SessionPlace> {
  const { resume, forkSession, resumeSessionAt } = options
  if (resume === undefined) return placeOfNew(store, cwd, sessionId)
  const found = await store.find(resume, cwd)
  if (forkSession !== true) return found
  return store.fork(found.id, {
    sessionId,
    ...(resumeSessionAt === undefined ? {} : { upTo: resumeSessionAt }),
  })
}

async function placeOfNew(store: SessionStore, cwd: string, sessionId: string): Promise<SessionPlace> {
  const place = await store.place(cwd, sessionId)
  const isThere = await access(place.path).then(
    () => true,
    () => false,
  )
  if (isThere) throw new Error(`Session ID ${sessionId} is already in use; resume it, or take another id.`)
  return place
}
