import type { HistoryFault } from './history-fault.ts'
import { mendHistory } from './history-mend.ts'
import { isSound } from './history-sound.ts'
import type { Message } from './messages.ts'

/** A history without faults, and what had to be mended for it. */
export interface RepairedHistory {
  /** A new array. A message that needed no change is the same object as before. */
  readonly messages: readonly Message[]
  /** What `checkHistory` says of the history as it was. */
  readonly repaired: readonly HistoryFault[]
}

/** How a history is mended. */
export interface RepairHistoryOptions {
  /** Content of the error result that stands in for a missing one. @default '[Tool result missing due to internal error]' */
  readonly missingResultText?: string
}

/**
 * Mends a history so that `checkHistory` finds nothing; mending twice changes nothing more.
 *
 * The input is never changed. Calls, thinking and foreign blocks are never lost or altered, but for the id of a call whose
 * id is empty or was used before: it and its result get a new one that depends on the messages before alone.
 * Never throws for data of any shape inside `messages`.
 *
 * @example
 * const call = { type: 'tool_use' as const, id: 'toolu_1', name: 'Read', input: {} }
 * repairHistory([{ role: 'user', content: 'Hi' }, { role: 'assistant', content: [call] }]).messages.length // 3
 */
export function repairHistory(
  messages: readonly Message[],
  options: RepairHistoryOptions = {},
): RepairedHistory {
  const { missingResultText = '[Tool result missing due to internal error]' } = options
  if (isSound(messages)) return { messages: messages.slice(), repaired: [] }
  const { messages: mended, faults } = mendHistory(messages, missingResultText)
  return { messages: mended, repaired: faults }
}
