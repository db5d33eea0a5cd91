import type { AssistantMessage } from '@x/contract'
import { blocksOf, callIds } from './group-messages.ts'
import type { HistoryEntry } from './history-entry.ts'
import { isObject, type TranscriptRecord } from './record.ts'

/** The kind of record that tells of a call before it begins. Ours: readers of other programs pass it over. */
export const startedType = 'x-call-started'

/** A call that was about to begin, and its message as far as it was there. */
export interface StartedCall {
  readonly toolUseId: string
  readonly message: AssistantMessage
}

/** Reads the record of a call that was about to begin; nothing for any other. */
export function toStartedCall(record: TranscriptRecord): StartedCall | undefined {
  const { type, toolUseId, message } = record
  if (type !== startedType || typeof toolUseId !== 'string' || !isObject(message)) return undefined
  const { content, id } = message
  if (!Array.isArray(content)) return undefined
  return { toolUseId, message: { role: 'assistant', content, ...(typeof id === 'string' && { id }) } }
}

/**
 * The message whose calls had begun when the transcript broke off: what of it no record tells. Nothing where every call that
 * began is on record. `known` holds the ids of all calls that the file tells of.
 */
export function findUntold(
  started: readonly StartedCall[],
  known: ReadonlySet<string>,
  entries: readonly HistoryEntry[],
): AssistantMessage | undefined {
  const open = started.filter(({ toolUseId }) => !known.has(toolUseId))
  // One message is at work at a time; the longest tells of all its calls.
  const last = open
    .toSorted((one, other) => blocksOf(one.message).length - blocksOf(other.message).length)
    .at(-1)
  if (last === undefined) return undefined
  const { message } = last
  const told = new Set(entries.flatMap((entry) => toldBlocks(entry, message.id)))
  const content = blocksOf(message).filter((block) => !told.has(JSON.stringify(block)))
  return { ...message, content }
}

function toldBlocks(entry: HistoryEntry, id: string | undefined): readonly string[] {
  if (entry.kind !== 'message' || entry.message.role !== 'assistant') return []
  if (id === undefined || entry.group !== id) return []
  return blocksOf(entry.message).map((block) => JSON.stringify(block))
}

/** The ids of the calls that an entry tells of. */
export function callsOf(entry: HistoryEntry): readonly string[] {
  return entry.kind === 'message' ? callIds(entry.message) : []
}

/** The entries, and behind them what no record tells of. */
export function withUntold(
  entries: readonly HistoryEntry[],
  untold: AssistantMessage | undefined,
): readonly HistoryEntry[] {
  if (untold === undefined) return entries
  const { id: group } = untold
  return [...entries, { kind: 'message', message: untold, ...(group !== undefined && { group }) }]
}
