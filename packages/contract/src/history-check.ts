import type { Message } from './messages.ts'

/** What is wrong with a history, and where. */
export interface HistoryFault {
  readonly code:
    | 'missing-result'
    | 'foreign-result'
    | 'duplicate-result'
    | 'misplaced-result'
    | 'duplicate-id'
    | 'empty-id'
    | 'empty-block'
    | 'empty-message'
    | 'malformed-text'
    | 'role-order'
  readonly messageIndex: number
  readonly blockIndex?: number
}

/** Lists every fault of a history; none means that a request made of it is valid. */
export function checkHistory(messages: readonly Message[]): readonly HistoryFault[] {
  throw new Error(`in work: ${messages.length}`)
}
