import type { FileHandle } from 'node:fs/promises'
import { withoutUndefined } from '@x/contract'
import { blocksOf } from './group-messages.ts'
import { toEntry } from './history-entry.ts'
import { metadataWindowBytes } from './lasting-metadata.ts'
import { openForReading } from './load.ts'
import { parseLine } from './parse-line.ts'
import { readLinesBackward, readLinesForward } from './read-lines.ts'
import type { TranscriptRecord } from './record.ts'

/** What a list of sessions shows of one, read from both ends of its file. */
export interface SessionSummary {
  /** The last name that a person gave, else the program, else the last prompt that was noted, a summary, the first prompt; 200 characters. */
  readonly title: string
  /** The name that a person gave. */
  readonly customTitle?: string
  /** The first thing a person wrote; 200 characters. */
  readonly firstPrompt?: string
  /** A mark of the user's. */
  readonly tag?: string
  /** The working folder of its first record. */
  readonly cwd?: string
  /** The branch of its last record. */
  readonly gitBranch?: string
  /** When it was last written, in milliseconds since the epoch. */
  readonly modifiedAtMs: number
  /** Size of the file. */
  readonly sizeBytes: number
}

const maxHeadBytes = 16 * 1024 * 1024
const maxTitleLength = 200

/** Reads what a list shows of a session. Nothing for a file that is no main transcript, has no title, or cannot be read. */
export async function readSummary(path: string): Promise<SessionSummary | undefined> {
  try {
    await using file = await openForReading(path)
    if (file === undefined) return undefined
    const { size, mtimeMs } = await file.stat()
    const head = await readHead(file, size)
    if (head[0]?.['isSidechain'] === true) return undefined
    const summary = summarize(head, await readTail(file, size))
    return summary === undefined ? undefined : { ...summary, modifiedAtMs: mtimeMs, sizeBytes: size }
  } catch {
    return undefined
  }
}

function summarize(
  head: readonly TranscriptRecord[],
  tail: readonly TranscriptRecord[],
): Omit<SessionSummary, 'modifiedAtMs' | 'sizeBytes'> | undefined {
  const customTitle = lastText([tail, head], 'custom-title', 'customTitle')
  const firstPrompt = head.map(promptOf).find((prompt) => prompt !== undefined)
  const title =
    customTitle ??
    lastText([tail, head], 'ai-title', 'aiTitle') ??
    lastText([tail, head], 'last-prompt', 'lastPrompt') ??
    lastText([tail, head], 'summary', 'summary') ??
    firstPrompt
  if (title === undefined) return undefined
  const tag = lastText([tail, head], 'tag', 'tag')
  const cwd = head.flatMap((record) => nonEmpty(record['cwd'])).at(0)
  const gitBranch = tail.flatMap((record) => nonEmpty(record['gitBranch'])).at(-1)
  return { title, ...withoutUndefined({ customTitle, firstPrompt, tag, cwd, gitBranch }) }
}

function nonEmpty(value: unknown): readonly string[] {
  return typeof value === 'string' && value !== '' ? [value] : []
}

/** The field of the last record of a kind; an empty text takes the one before it away. */
function lastText(
  places: readonly (readonly TranscriptRecord[])[],
  type: string,
  field: string,
): string | undefined {
  for (const records of places) {
    const value = records.findLast((record) => record.type === type && typeof record[field] === 'string')?.[
      field
    ]
    if (typeof value === 'string') return toTitle(value)
  }
  return undefined
}

/** What a person wrote: no result, no message of the program, no summary, no command. */
function promptOf(record: TranscriptRecord): string | undefined {
  const { type, isMeta, isCompactSummary, isSidechain } = record
  if (type !== 'user' || isMeta === true || isCompactSummary === true || isSidechain === true)
    return undefined
  const entry = toEntry(record)
  if (entry === undefined || entry === 'none' || entry.kind !== 'message') return undefined
  const texts = blocksOf(entry.message).flatMap((block: unknown) => textOf(block) ?? [])
  return texts.map(toTitle).find((text) => text !== undefined && !machineText.test(text))
}

/** Text that a program put into a user's message. */
const machineText = /^<(?:system-reminder|command-|local-command|bash-|task-notification)/

function textOf(block: unknown): string | undefined {
  const isText = typeof block === 'object' && block !== null && 'type' in block && block.type === 'text'
  return isText && 'text' in block && typeof block.text === 'string' ? block.text : undefined
}

function toTitle(text: string): string | undefined {
  const line = text.replaceAll(/\s+/gu, ' ').trim()
  return line === '' ? undefined : line.slice(0, maxTitleLength).replace(/[\uD800-\uDBFF]$/u, '')
}

async function readHead(file: FileHandle, size: number): Promise<readonly TranscriptRecord[]> {
  const records: TranscriptRecord[] = []
  for await (const lines of readLinesForward(file, { size })) {
    for (const line of lines) {
      const parsed = parseLine(line)
      if (parsed.kind === 'record') records.push(parsed.record)
    }
    const read = lines.at(-1)?.offset ?? 0
    // A long prompt, with pictures say, is waited for, but not for ever.
    if (
      read > metadataWindowBytes &&
      (read > maxHeadBytes || records.some((record) => promptOf(record) !== undefined))
    )
      break
  }
  return records
}

async function readTail(file: FileHandle, size: number): Promise<readonly TranscriptRecord[]> {
  const records: TranscriptRecord[] = []
  for await (const lines of readLinesBackward(file, { size })) {
    for (const line of lines) {
      const parsed = parseLine(line)
      if (parsed.kind === 'record') records.push(parsed.record)
    }
    const read = lines.at(-1)?.offset ?? size
    if (size - read > metadataWindowBytes) break
  }
  return records.toReversed()
}
