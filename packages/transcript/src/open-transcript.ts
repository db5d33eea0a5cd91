import { mkdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { reasonOf, TranscriptError } from './errors.ts'
import { type LiveOptions, LiveTranscript } from './live-transcript.ts'
import { loadTranscript } from './load.ts'
import { takeLock } from './lock.ts'
import type { OpenTranscriptOptions, Transcript } from './transcript.ts'
import { unknownOutcomeText } from './unknown-outcome.ts'

/**
 * Opens a conversation on disk, loads what is there and gives the right to go on with it. Makes the folder; the file begins with the
 * first append.
 *
 * @throws TranscriptError `in-use` if another writer has it, `unreadable`, `write-failed`, or `not-found` for an unknown `resumeAt`.
 *
 * @example
 * await using transcript = await openTranscript('chat.jsonl')
 * await transcript.append([{ role: 'user', content: 'Hi' }])
 */
export async function openTranscript(path: string, options: OpenTranscriptOptions = {}): Promise<Transcript> {
  const { agentId, resumeAt, signal } = options
  await makeFolder(dirname(path))
  const lock = await takeLock(path, signal)
  try {
    const isSidechain = agentId !== undefined
    const loaded = await loadTranscript(path, { isSidechain, upTo: resumeAt, signal })
    return new LiveTranscript(path, { loaded, lock, options: withDefaults(path, options) })
  } catch (error) {
    lock.release()
    throw error
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const message = `${folder} cannot be made: ${reasonOf(error)}`
    throw new TranscriptError('write-failed', message, { file: folder, cause: error })
  }
}

function withDefaults(path: string, options: OpenTranscriptOptions): LiveOptions {
  return {
    sessionId: options.sessionId ?? basename(path, '.jsonl'),
    facts: () => ({ cwd: process.cwd(), version: '', gitBranch: '', ...options.facts?.() }),
    agentId: options.agentId,
    missingResultText: options.missingResultText ?? unknownOutcomeText,
    sync: options.sync ?? false,
    now: options.now ?? Date.now,
  }
}
