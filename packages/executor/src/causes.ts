import { isAbortReason } from '@x/abort'
import type { Cause } from './types.ts'

/** The causes that come from outside the call and end it before its own answer. */
export type CancelCause = Exclude<Cause, 'ran' | 'unknown-tool' | 'invalid-input' | 'denied' | 'deferred'>

/** What the query's reason means for its calls. Reasons of another level (a sibling's, of the query above) are the host's. */
export function causeOfAbort(reason: unknown): CancelCause {
  if (!isAbortReason(reason)) return 'host-stopped'
  if (reason.kind === 'user-cancel' || reason.kind === 'user-interrupt') return 'user-cancelled'
  return reason.kind === 'permission-rejected' ? 'permission-rejected' : 'host-stopped'
}

/** The user ended the call; it is told as a rejection, not as a failure of the tool. */
export function isUsersDoing(cause: Cause): boolean {
  return cause === 'user-cancelled' || cause === 'user-interrupted' || cause === 'permission-rejected'
}
