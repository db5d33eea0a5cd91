import { blocksOf } from './group-messages.ts'
import { toEntry } from './history-entry.ts'
import { readRecords } from './read-transcript.ts'
import type { TranscriptRecord } from './record.ts'
import { WholeWay } from './whole-way.ts'

/** What a person said in a session. */
export interface Prompt {
  /** Names its record: a session can be taken back to it. */
  readonly uuid: string
  /** The record before it; null where it begins the session. */
  readonly parentUuid: string | null
  /** Its words. */
  readonly text: string
  /** When, in ISO 8601 UTC; empty where the record does not say. */
  readonly timestamp: string
  /** The session was taken back to before it: the conversation goes on without it. */
  readonly isRewound: boolean
}

/**
 * Gives what people said in a session, each prompt once, in the order of the file; also what was left behind when the session was taken
 * back.
 *
 * @throws TranscriptError `unreadable`; the signal's reason.
 */
export async function readPrompts(path: string, signal?: AbortSignal): Promise<readonly Prompt[]> {
  const prompts: Omit<Prompt, 'isRewound'>[] = []
  const way = new WholeWay()
  for await (const record of readRecords(path, signal)) {
    const isCopy = way.add(record)
    const prompt = isCopy ? undefined : toPrompt(record)
    if (prompt !== undefined) prompts.push(prompt)
  }
  const told = way.told()
  return prompts.map((prompt) => ({ ...prompt, isRewound: !told.has(prompt.uuid) }))
}

function toPrompt(record: TranscriptRecord): Omit<Prompt, 'isRewound'> | undefined {
  const { type, uuid, parentUuid = null, timestamp } = record
  const isOthers = ['isMeta', 'isCompactSummary', 'isSidechain'].some((flag) => record[flag] === true)
  if (type !== 'user' || typeof uuid !== 'string' || isOthers) return undefined
  const entry = toEntry(record)
  if (entry === undefined || entry === 'none' || entry.kind !== 'message') return undefined
  const texts = blocksOf(entry.message).flatMap((block) =>
    'text' in block && typeof block.text === 'string' ? block.text : [],
  )
  if (texts.length === 0) return undefined
  return {
    uuid,
    parentUuid,
    text: texts.join('\n'),
    timestamp: typeof timestamp === 'string' ? timestamp : '',
  }
}
