import { cleanBlock, type LooseBlock } from './clean-block.ts'
import type { HistoryFaultCode } from './history-fault.ts'

/** A block that can be sent, and where it stood in its message. */
interface BlockEntry {
  readonly block: LooseBlock
  readonly blockIndex: number
}

/** A call or a result, by the id that pairs them. */
export interface KeyedEntry extends BlockEntry {
  readonly key: string
}

/** All that one message says about itself, whatever stands around it. */
export interface MessageFacts {
  /** Absent: there is no such role, the message cannot stay. */
  readonly role: 'user' | 'assistant' | undefined
  /** The blocks that can be sent. */
  readonly entries: readonly BlockEntry[]
  readonly blocks: readonly LooseBlock[]
  readonly calls: readonly KeyedEntry[]
  readonly results: readonly KeyedEntry[]
  /** No other block stands before a result. */
  readonly resultsLead: boolean
  /** Faults inside the message; none means that it can be sent as the same object. */
  readonly faults: readonly { readonly code: HistoryFaultCode; readonly blockIndex?: number }[]
}

interface Remembered {
  readonly role: unknown
  readonly content: unknown
  readonly blocks: readonly unknown[]
  readonly facts: MessageFacts
}

// A session checks its whole history on every turn. What a message says about itself is found once per message object, so
// that a history of 400 messages costs tens of microseconds instead of a walk through every string of it. Messages count as
// immutable; a changed list of blocks is noticed, a change inside a block is not.
const remembered = new WeakMap<object, Remembered>()

/** Finds what a message of any shape says about itself. Never throws for JSON data. */
export function factsOf(message: unknown): MessageFacts {
  if (typeof message !== 'object' || message === null) return nothing
  const known = remembered.get(message)
  const role = 'role' in message ? message.role : undefined
  const content = 'content' in message ? message.content : undefined
  if (known !== undefined && isStill(known, role, content)) return known.facts
  const blocks: readonly unknown[] = Array.isArray(content) ? content.slice() : []
  const facts = readFacts(role, content)
  remembered.set(message, { role, content, blocks, facts })
  return facts
}

const nothing: MessageFacts = {
  role: undefined,
  entries: [],
  blocks: [],
  calls: [],
  results: [],
  resultsLead: true,
  faults: [{ code: 'empty-message' }],
}

function isStill({ role, content, blocks }: Remembered, newRole: unknown, newContent: unknown): boolean {
  if (role !== newRole || content !== newContent) return false
  if (!Array.isArray(newContent)) return true
  return newContent.length === blocks.length && blocks.every((block, index) => block === newContent[index])
}

function readFacts(role: unknown, content: unknown): MessageFacts {
  if (role !== 'user' && role !== 'assistant') return { ...nothing, faults: [{ code: 'role-order' }] }
  const faults: { code: HistoryFaultCode; blockIndex?: number }[] = []
  const entries = typeof content === 'string' ? readText(content, faults) : readBlocks(role, content, faults)
  if (entries.length === 0) faults.push({ code: 'empty-message' })
  const results = keyed(entries, 'tool_result', 'tool_use_id')
  return {
    role,
    entries,
    blocks: entries.map((entry) => entry.block),
    calls: keyed(entries, 'tool_use', 'id'),
    results,
    resultsLead: results.every((result, index) => result.blockIndex === entries[index]?.blockIndex),
    faults,
  }
}

function readText(text: string, faults: { code: HistoryFaultCode }[]): readonly BlockEntry[] {
  if (!/\S/u.test(text)) return []
  if (!text.isWellFormed()) faults.push({ code: 'malformed-text' })
  return [{ block: { type: 'text', text: text.toWellFormed() }, blockIndex: 0 }]
}

function readBlocks(
  role: 'user' | 'assistant',
  content: unknown,
  faults: { code: HistoryFaultCode; blockIndex?: number }[],
): readonly BlockEntry[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((raw: unknown, blockIndex) => {
    const block = cleanBlock(raw, role, (code) => {
      if (faults.at(-1)?.blockIndex !== blockIndex || faults.at(-1)?.code !== code)
        faults.push({ code, blockIndex })
    })
    return block === undefined ? [] : [{ block, blockIndex }]
  })
}

function keyed(entries: readonly BlockEntry[], type: string, field: string): readonly KeyedEntry[] {
  return entries
    .filter(({ block }) => block.type === type)
    .map(({ block, blockIndex }) => ({ block, blockIndex, key: String(block[field]) }))
}
