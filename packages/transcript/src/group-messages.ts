import type { ContentBlock, Message } from '@x/contract'
import type { HistoryEntry } from './history-entry.ts'
import { isObject } from './record.ts'

type MessageEntry = Extract<HistoryEntry, { kind: 'message' }>

/** A message of the history while its records are still being joined. */
interface Draft {
  readonly entries: MessageEntry[]
  /** The calls it makes. */
  readonly calls: Set<string>
}

/**
 * Makes messages of what stands on the chain: the records of one model message become one again, also where results of its early calls
 * stand between them; what was withdrawn is left out, with its results. Repair is not done here.
 */
export function groupMessages(entries: readonly HistoryEntry[]): readonly Message[] {
  const drafts: Draft[] = []
  let open: Draft | undefined
  for (const entry of entries) {
    if (entry.kind === 'withdrawal') {
      withdraw(drafts, entry.messageId)
      open = undefined
    } else if (entry.message.role === 'user') {
      if (open !== undefined && !answersOnly(entry, open.calls)) open = undefined
      drafts.push({ entries: [entry], calls: new Set() })
    } else {
      open = open !== undefined && belongsTo(open, entry) ? open : startDraft(drafts)
      open.entries.push(entry)
      for (const id of callIds(entry.message)) open.calls.add(id)
    }
  }
  return drafts.map(toMessage)
}

function startDraft(drafts: Draft[]): Draft {
  const draft: Draft = { entries: [], calls: new Set() }
  drafts.push(draft)
  return draft
}

/** A service that gives all its messages one id cannot be told apart by it: the event that ended a message can. */
function belongsTo({ entries }: Draft, next: MessageEntry): boolean {
  const last = entries.at(-1)
  if (last === undefined || next.group === undefined || last.group !== next.group) return false
  return last.endedBy === undefined || last.endedBy === next.sequence
}

function answersOnly({ message }: MessageEntry, calls: ReadonlySet<string>): boolean {
  const ids = answeredIds(message)
  return ids.length > 0 && ids.length === blocksOf(message).length && ids.every((id) => calls.has(id))
}

function withdraw(drafts: Draft[], messageId: string | null): void {
  const index = drafts.findLastIndex(({ entries: [first] }) => first?.message.role === 'assistant')
  const draft = drafts[index]
  const [first] = draft?.entries ?? []
  if (draft === undefined || first?.message.role !== 'assistant') return
  if ((first.message.id ?? null) !== messageId) return
  const results = drafts
    .slice(index + 1)
    .filter(({ entries: [entry] }) => entry && answersOnly(entry, draft.calls))
  const gone = new Set([draft, ...results])
  drafts.splice(0, drafts.length, ...drafts.filter((each) => !gone.has(each)))
}

function toMessage({ entries }: Draft): Message {
  const [first, ...rest] = entries
  if (first === undefined) return { role: 'user', content: [] }
  if (rest.length === 0) return first.message
  return { ...first.message, content: entries.flatMap(({ message }) => blocksOf(message)) }
}

/** The blocks of a message; a text counts as one. */
export function blocksOf({ content }: Message): readonly ContentBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** The ids of the calls that a message makes. Takes blocks of any shape, as from a disk. */
export function callIds(message: Message): readonly string[] {
  return message.role === 'user' ? [] : idsOf(message, 'tool_use', 'id')
}

/** The ids of the calls that a message answers. Takes blocks of any shape, as from a disk. */
export function answeredIds(message: Message): readonly string[] {
  return message.role === 'assistant' ? [] : idsOf(message, 'tool_result', 'tool_use_id')
}

function idsOf({ content }: Message, type: string, field: string): readonly string[] {
  const ids: string[] = []
  if (typeof content === 'string') return ids
  for (const block of content as readonly unknown[]) {
    const id = isObject(block) && block['type'] === type ? block[field] : undefined
    if (typeof id === 'string') ids.push(id)
  }
  return ids
}
