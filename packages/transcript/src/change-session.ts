import { open, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createAppendFile } from './append-file.ts'
import { toLines } from './batch.ts'
import { TranscriptError } from './errors.ts'
import { toMarkdown } from './export.ts'
import { listProjects, placeOf, placesIn, type SessionPlace } from './find-sessions.ts'
import { forkRecords } from './fork.ts'
import { takeLock } from './lock.ts'
import { openTranscript } from './open-transcript.ts'
import { readPrompts } from './prompts.ts'
import { readTranscript } from './read-transcript.ts'
import { readSummary } from './summary.ts'
import { writeAtomic } from './write-atomic.ts'

/** The lock keeps a session from being removed under its writer. */
export async function removeSession({ path, folder }: SessionPlace): Promise<void> {
  const lock = await takeLock(path)
  try {
    await rm(path, { force: true })
    await rm(folder, { recursive: true, force: true })
  } finally {
    lock.release()
  }
}

/** Copies a session; the copy appears as a whole. */
export async function forkSession(
  original: SessionPlace,
  { upTo, sessionId, now }: { upTo: string | undefined; sessionId: string; now: () => number },
): Promise<SessionPlace> {
  const copy = placeOf(dirname(dirname(original.path)), original.project, sessionId)
  const title = `${(await readSummary(original.path))?.title ?? original.id} (fork)`
  const timestamp = new Date(now()).toISOString()
  const records = await forkRecords(original.path, { sessionId, upTo, title, timestamp })
  const lock = await takeLock(copy.path)
  try {
    await writeAtomic(
      copy.path,
      records.map((record) => toLines([record])),
    )
  } finally {
    lock.release()
  }
  return copy
}

/**
 * Takes a conversation back to before a prompt: what was said until then is written once more behind a mark, as after a compaction,
 * so that every reader goes on from there. Nothing that is in the file is lost.
 */
export async function rewindSession({ path }: SessionPlace, promptUuid: string): Promise<void> {
  const prompt = (await readPrompts(path)).find(({ uuid }) => uuid === promptUuid)
  if (prompt === undefined) {
    throw new TranscriptError('not-found', `No message of the user found with uuid: ${promptUuid}`, {
      file: path,
    })
  }
  const { parentUuid } = prompt
  await using transcript = await openTranscript(path, parentUuid === null ? {} : { resumeAt: parentUuid })
  const messages = parentUuid === null ? [] : transcript.messages
  await transcript.appendCompaction({ trigger: 'manual', preTokens: 0, messages, hasSummary: false })
}

/** Adds a name, and the number that a dead writer left behind: with its lock that would be lost. */
export async function renameSession({ path, id: sessionId }: SessionPlace, name: string): Promise<void> {
  const lock = await takeLock(path)
  const file = createAppendFile(path, { endsOpen: await endsOpen(path) })
  try {
    const sequence = lock.inheritedSequence - 1
    const records = sequence < 0 ? [] : [{ type: 'sequence', sessionId, sequence }]
    file.add(toLines([...records, { type: 'custom-title', sessionId, customTitle: name }]))
  } finally {
    file.close()
    lock.release()
  }
}

async function endsOpen(path: string): Promise<boolean> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  if (size === 0) return false
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] !== newline
}

const newline = 0x0a

/** A conversation as text. */
export async function exportSession(
  { id, path }: SessionPlace,
  format: 'markdown' | 'json',
): Promise<string> {
  const { messages } = await readTranscript(path)
  const title = (await readSummary(path))?.title ?? id
  return format === 'markdown'
    ? toMarkdown(title, messages)
    : `${JSON.stringify({ id, title, messages }, undefined, 2)}\n`
}

/** Removes the sessions that were not written for so many days. */
export async function cleanUp(
  root: string,
  { days, nowMs }: { readonly days: number; readonly nowMs: number },
): Promise<readonly string[]> {
  if (!(days >= 1)) throw new RangeError(`days must be at least 1, not ${days}`)
  const removed: string[] = []
  for (const project of await listProjects(root)) {
    for (const place of await placesIn(root, project)) {
      const { mtimeMs = nowMs } = (await stat(place.path).catch(() => undefined)) ?? {}
      if (mtimeMs < nowMs - days * 86_400_000 && (await tryRemove(place))) removed.push(place.id)
    }
  }
  return removed
}

async function tryRemove(place: SessionPlace): Promise<boolean> {
  try {
    await removeSession(place)
    return true
  } catch {
    // In use, or not ours to remove: the next sweep looks again.
    return false
  }
}
