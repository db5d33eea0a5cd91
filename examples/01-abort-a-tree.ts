// One package alone: a tree of abort controllers. The parent's abort reaches the children; a child's stays its own.
import { AbortReason, createAbortController, createChildAbortController } from '@x/abort'

/** Aborts one child, then the parent; tells what each of them knew. */
export function main() {
  const query = createAbortController()
  using call = createChildAbortController(query)
  using sibling = createChildAbortController(query)
  call.abort(new AbortReason('timeout'))
  const afterChild = { query: query.signal.aborted, sibling: sibling.signal.aborted }
  query.abort(new AbortReason('user-cancel'))
  const reason: unknown = sibling.signal.reason
  return { afterChild, siblingHeard: reason instanceof AbortReason ? reason.kind : 'nothing' }
}

if (import.meta.main) console.log(main())
