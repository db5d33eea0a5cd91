import type { Message } from '@x/contract'

/**
 * Gives the index at which the last turns begin: each is a message of the model and what the user answers. 0: there are not so
 * many. A cut there parts no call from its result.
 */
export function recentStart(messages: readonly Message[], turns: number): number {
  let left = turns
  for (let index = messages.length; left > 0; left -= 1) {
    index = messages.findLastIndex(({ role }, at) => at < index && role === 'assistant')
    if (index <= 0) return 0
    if (left === 1) return index
  }
  return messages.length
}
