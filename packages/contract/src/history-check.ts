import type { HistoryFault } from './history-fault.ts'
import { mendHistory } from './history-mend.ts'
import { isSound } from './history-sound.ts'
import type { Message } from './messages.ts'

/**
 * Lists every fault of a history, in the order of the messages; none means that a request made of it is valid.
 *
 * Takes data of any shape inside `messages` and never throws. Cheap enough for every turn of a long session: what a message
 * says about itself is remembered by its identity, so messages count as immutable.
 *
 * @example
 * checkHistory([{ role: 'user', content: '' }]) // [{ code: 'empty-message', messageIndex: 0 }]
 */
export function checkHistory(messages: readonly Message[]): readonly HistoryFault[] {
  return isSound(messages) ? [] : mendHistory(messages, '').faults
}
