import process from 'node:process'
import { isHeadlessSession, stateFolder } from '@x/session'
import { createSessionStore, type SessionPlace, type SessionStore } from '@x/transcript'
import type { CliArguments } from '../arguments.ts'
import { isHeadless } from '../is-headless.ts'
import { findNamed } from './find-named.ts'

/**
 * Finds the session that the command line goes on with; undefined for a new one.
 *
 * @throws Error where there is none; TranscriptError where several have the name.
 */
export async function findResumed(
  { resume, continue: continues, print }: Pick<CliArguments, 'resume' | 'continue' | 'print'>,
  cwd: string,
): Promise<SessionPlace | undefined> {
  if (resume === undefined && !continues) return undefined
  const store = createSessionStore({ stateFolder: stateFolder(process.env) })
  if (typeof resume === 'string') return findNamed(store, resume, cwd)
  const latest = isHeadless({ print }) ? await store.latest(cwd) : await latestOfPerson(store, cwd)
  if (latest === undefined) throw new Error('No conversation found to continue in this folder')
  return latest
}

/** A person goes on with what a person did; what scripts did in between is none of that. */
async function latestOfPerson(store: SessionStore, cwd: string): Promise<SessionPlace | undefined> {
  for (const session of await store.list({ cwd }))
    if (!(await isHeadlessSession(session.path))) return session
  return undefined
}
