import type { HistoryFault } from './history-fault.ts'
import { factsOf, type MessageFacts } from './message-facts.ts'
import type { Message } from './messages.ts'

/** One message of the input inside a turn. */
export interface TurnPart {
  readonly message: Message
  readonly messageIndex: number
  readonly facts: MessageFacts
}

/** Neighbours of one role that become one message. No parts: a user message that has to be made. */
export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly parts: readonly TurnPart[]
}

/**
 * Leaves out what cannot be sent and joins neighbours of one role, so that the roles of the turns alternate.
 *
 * Neighbouring model messages are one message too (a paused turn that went on; one message stored in pieces), but for one
 * case: a message whose calls nobody answered, followed by another message of the model. There the user message between
 * them was lost; it is made anew, so that the thoughts of two answers never mix.
 */
export function toTurns(messages: readonly Message[], faults: HistoryFault[]): readonly Turn[] {
  const turns = joinNeighbours(messages, faults)
  return turns.flatMap((turn, index) =>
    turn.role === 'user' || turn.parts.length === 1 ? [turn] : separate(turn, turns[index + 1]),
  )
}

function joinNeighbours(messages: readonly Message[], faults: HistoryFault[]): readonly Turn[] {
  const turns: { role: 'user' | 'assistant'; parts: TurnPart[] }[] = []
  for (const [messageIndex, message] of messages.entries()) {
    const facts = factsOf(message)
    for (const fault of facts.faults) faults.push({ ...fault, messageIndex })
    if (facts.role === undefined || facts.entries.length === 0) continue
    const part = { message, messageIndex, facts }
    const last = turns.at(-1)
    if (last?.role !== facts.role) turns.push({ role: facts.role, parts: [part] })
    else {
      last.parts.push(part)
      faults.push({ code: 'role-order', messageIndex })
    }
  }
  return turns
}

function separate(turn: Turn, answers: Turn | undefined): readonly Turn[] {
  const answered = new Set(answers?.parts.flatMap(({ facts }) => facts.results.map((result) => result.key)))
  const groups: TurnPart[][] = []
  for (const part of turn.parts) {
    const group = groups.at(-1)
    if (group === undefined || isLeftUnanswered(group, part, answered)) groups.push([part])
    else group.push(part)
  }
  return groups.flatMap((parts, index): Turn[] => {
    const own: Turn = { role: 'assistant', parts }
    return index === 0 ? [own] : [{ role: 'user', parts: [] }, own]
  })
}

function isLeftUnanswered(
  group: readonly TurnPart[],
  next: TurnPart,
  answered: ReadonlySet<string>,
): boolean {
  const calls = group.flatMap(({ facts }) => facts.calls)
  if (calls.length === 0 || calls.some((call) => answered.has(call.key))) return false
  const id = messageId(group.at(-1)?.message)
  return id === undefined || id !== messageId(next.message)
}

function messageId(message: Message | undefined): string | undefined {
  return message?.role === 'assistant' ? message.id : undefined
}
