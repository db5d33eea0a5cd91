import type { ContentBlock } from './blocks.ts'
import { type CallIds, createCallIds } from './call-ids.ts'
import type { LooseBlock } from './clean-block.ts'
import type { HistoryFault } from './history-fault.ts'
import { type Turn, type TurnPart, toTurns } from './history-turns.ts'
import type { Message } from './messages.ts'
import { isAnswered, type PendingCall, pairResults } from './pair-results.ts'

const missingStart = '[The beginning of this conversation is missing]'

/** A message on its way out: the input's own object where nothing had to change. */
interface Draft {
  readonly role: 'user' | 'assistant'
  readonly source?: Message
  /** Gives the fields beside the content to a message that is made anew. */
  readonly first?: Message
  readonly blocks: readonly LooseBlock[]
}

interface Mending {
  readonly turns: readonly Turn[]
  readonly faults: HistoryFault[]
  readonly ids: CallIds
  readonly drafts: Draft[]
  readonly missingResultText: string
  /** Calls of the last draft that nobody answered yet. */
  calls: readonly PendingCall[]
}

/** The one set of rules behind check and repair: finds every fault and the history without it. */
export function mendHistory(
  messages: readonly Message[],
  missingResultText: string,
): { readonly messages: readonly Message[]; readonly faults: readonly HistoryFault[] } {
  const faults: HistoryFault[] = []
  const turns = toTurns(messages, faults)
  const mending: Mending = { turns, faults, ids: createCallIds(), drafts: [], missingResultText, calls: [] }
  for (const turn of turns) {
    if (turn.role === 'assistant') addModelTurn(mending, turn)
    else addUserTurn(mending, turn)
  }
  if (mending.calls.length > 0) addUserTurn(mending, { role: 'user', parts: [] })
  addStart(mending)
  return { messages: mending.drafts.map(toMessage), faults: inOrder(faults) }
}

function addModelTurn(mending: Mending, turn: Turn): void {
  const draft = toDraft(turn)
  const calls = turn.parts.flatMap((part) => claimIds(mending, part))
  const isRenamed = calls.some((call) => call.id !== call.key)
  const named = isRenamed ? { ...changed(draft), blocks: rename(draft.blocks, calls) } : draft
  const last = mending.drafts.at(-1)
  // The user message between held nothing but results of nobody. The message before has no calls, or it would not be empty.
  if (last?.role === 'assistant') {
    mending.faults.push({ code: 'role-order', messageIndex: turn.parts[0]?.messageIndex ?? 0 })
    mending.drafts.pop()
    mending.drafts.push({ ...changed(last), blocks: [...last.blocks, ...named.blocks] })
  } else mending.drafts.push(named)
  mending.calls = calls
}

function claimIds({ ids, faults }: Mending, { facts, messageIndex }: TurnPart): readonly PendingCall[] {
  return facts.calls.map(({ key, blockIndex }) => {
    const id = ids.claim(key)
    if (id !== key) faults.push({ code: key === '' ? 'empty-id' : 'duplicate-id', messageIndex, blockIndex })
    return { key, id, messageIndex, blockIndex }
  })
}

function rename(blocks: readonly LooseBlock[], calls: readonly PendingCall[]): readonly LooseBlock[] {
  const ids = calls.values()
  return blocks.map((block) => {
    if (block.type !== 'tool_use') return block
    const id = ids.next().value?.id ?? block['id']
    return id === block['id'] ? block : { ...block, id }
  })
}

function addUserTurn(mending: Mending, turn: Turn): void {
  const { calls, faults, missingResultText } = mending
  mending.calls = []
  const draft = toDraft(turn)
  if (isAnswered(turn, calls)) {
    mending.drafts.push(draft)
    return
  }
  const isKnown = (key: string): boolean =>
    mending.turns.some(({ parts }) => parts.some(({ facts }) => facts.calls.some((call) => call.key === key)))
  const blocks = pairResults(turn, calls, { missingResultText, isKnown, faults })
  if (blocks.length > 0) mending.drafts.push({ ...changed(draft), blocks })
  else faults.push({ code: 'empty-message', messageIndex: turn.parts[0]?.messageIndex ?? 0 })
}

function addStart({ drafts, faults, turns }: Mending): void {
  if (drafts[0]?.role !== 'assistant') return
  drafts.unshift({ role: 'user', blocks: [{ type: 'text', text: missingStart }] })
  const first = turns.find((turn) => turn.role === 'assistant')
  faults.push({ code: 'role-order', messageIndex: first?.parts[0]?.messageIndex ?? 0 })
}

function toDraft({ role, parts }: Turn): Draft {
  const [part] = parts
  if (part === undefined) return { role, blocks: [] }
  const { message: first, facts } = part
  if (parts.length > 1) return { role, first, blocks: parts.flatMap((each) => each.facts.blocks) }
  if (facts.faults.length > 0) return { role, first, blocks: facts.blocks }
  return { role, source: first, first, blocks: facts.blocks }
}

function changed({ role, first, blocks }: Draft): Draft {
  return first === undefined ? { role, blocks } : { role, first, blocks }
}

function toMessage({ role, source, first, blocks }: Draft): Message {
  if (source !== undefined) return source
  // The edge between data of any shape and the types: every block has been looked at.
  const content = [...blocks] as unknown as ContentBlock[]
  return first === undefined ? { role, content } : { ...first, content }
}

function inOrder(faults: readonly HistoryFault[]): readonly HistoryFault[] {
  if (faults.length < 2) return faults
  return faults.toSorted(
    (one, other) =>
      one.messageIndex - other.messageIndex || (one.blockIndex ?? -1) - (other.blockIndex ?? -1),
  )
}
