/**
 * The kinds of faults.
 *
 * - `missing-result`: a call has no result in the next user message.
 * - `foreign-result`: a result for a call that the history does not hold.
 * - `duplicate-result`: a second result for one call.
 * - `misplaced-result`: a result that is not in the user message right after its call, or there out of order.
 * - `duplicate-id`, `empty-id`: a call whose id was used before, or that has none.
 * - `empty-block`: a text block without a visible character; the service refuses it.
 * - `empty-message`: a message without any block that can be sent.
 * - `malformed-text`: half a character (a lone surrogate) in something that is sent, or data nested deeper than 500 levels.
 * - `malformed-block`: a block, or a field of it, that has not the shape of its type.
 * - `role-order`: two neighbours of one role, a role that does not exist, or a history that does not begin with the user.
 */
export type HistoryFaultCode =
  | 'missing-result'
  | 'foreign-result'
  | 'duplicate-result'
  | 'misplaced-result'
  | 'duplicate-id'
  | 'empty-id'
  | 'empty-block'
  | 'empty-message'
  | 'malformed-text'
  | 'malformed-block'
  | 'role-order'

/** What is wrong with a history, and where. */
export interface HistoryFault {
  /** The kind of fault. */
  readonly code: HistoryFaultCode
  /** Index of the message that is at fault; for `missing-result` the one with the call. */
  readonly messageIndex: number
  /** Index of the block inside its message; absent where the whole message is meant. */
  readonly blockIndex?: number
}
