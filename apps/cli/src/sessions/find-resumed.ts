import process from 'node:process'
import { stateFolder } from '@x/session'
import { createSessionStore, type SessionPlace } from '@x/transcript'
import type { CliArguments } from '../arguments.ts'
import { findNamed } from './find-named.ts'

/**
 * Finds the session that the command line goes on with; undefined for a new one.
 *
 * @throws Error where there is none; TranscriptError where several have the name.
 */
export async function findResumed(
  { resume, continue: continues }: Pick<CliArguments, 'resume' | 'continue'>,
  cwd: string,
): Promise<SessionPlace | undefined> {
  if (resume === undefined && !continues) return undefined
  const store = createSessionStore({ stateFolder: stateFolder(process.env) })
  if (typeof resume === 'string') return findNamed(store, resume, cwd)
  const latest = await store.latest(cwd)
  if (latest === undefined) throw new Error('No conversation found to continue in this folder')
  return latest
}
