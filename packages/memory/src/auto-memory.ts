import { join, resolve } from 'node:path'
import type { LoadedMemory, LoadReason } from './memory-file.ts'
import { describeProblem } from './problem.ts'
import { readStart, toText } from './read-text.ts'
import { waitFor } from './wait-for.ts'

/** How the notes of an agent are loaded. */
export interface AutoMemoryOptions {
  /** Why they are loaded. @default 'session_start' */
  readonly loadReason?: LoadReason
  /** Ends the waiting: the call rejects with its reason. */
  readonly signal?: AbortSignal
}

/**
 * Loads the index of the notes that an agent keeps in a folder: the first 200 lines or 25 KB of `MEMORY.md`, whichever are fewer, with a
 * line that says so when there is more. Whole lines only, unless the first one is longer.
 *
 * Gives no file where there is none; what is wrong with it is a problem. Imports and comments in it are text.
 */
export async function loadAutoMemory(folder: string, options: AutoMemoryOptions = {}): Promise<LoadedMemory> {
  const { loadReason = 'session_start', signal } = options
  const path = join(resolve(folder), 'MEMORY.md')
  const read = await waitFor(() => readIndex(path), signal)
  if (read.kind === 'absent') return { files: [], problems: [] }
  if (read.kind !== 'text') return { files: [], problems: [describeProblem(read.kind, path, read)] }
  const text = limitText(read.text)
  return { files: text === '' ? [] : [{ path, text, memoryType: 'Auto', loadReason }], problems: [] }
}

const maxLines = 200
const maxBytes = 25 * 1024

async function readIndex(path: string): Promise<ReturnType<typeof toText>> {
  // A little more, so that it is known whether there is more.
  const read = await readStart(path, maxBytes + 4)
  return read.kind === 'bytes' ? toText(read.bytes) : read
}

function limitText(text: string): string {
  const bytes = Buffer.from(text.trimEnd())
  const isLong = bytes.length > maxBytes
  const start = isLong ? wholeLines(bytes) : text.trimEnd()
  const lines = start.split('\n')
  if (!isLong && lines.length <= maxLines) return start
  const note = `[MEMORY.md is longer: these are its first ${maxLines} lines or ${maxBytes / 1024} KB]`
  return [...lines.slice(0, maxLines), note].join('\n')
}

/** A line or character that does not fit whole is left out. */
function wholeLines(bytes: Buffer): string {
  const start = bytes
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\uFFFD$/, '')
  const end = start.lastIndexOf('\n')
  return end < 0 ? start : start.slice(0, end)
}
