import { type DisposableAbortController, LinkedController } from './linked-controller.ts'
import { parentNode } from './parent-node.ts'

/** Options of `createAbortController` and `createChildAbortController`. */
export interface AbortControllerOptions {
  /**
   * How many `abort` listeners the signal may have before Node warns of a leak, once. Zero: no limit.
   *
   * @default 0
   */
  readonly maxListeners?: number
}

/**
 * Creates an abort controller that children can be hung below.
 *
 * @throws RangeError if `maxListeners` is not a whole number of at least 0.
 *
 * @example
 * const query = createAbortController()
 * const call = createChildAbortController(query)
 * query.abort(new AbortReason('user-cancel'))
 * call.signal.aborted // true
 */
export function createAbortController(options: AbortControllerOptions = {}): DisposableAbortController {
  return new LinkedController(undefined, checkMaxListeners(options))
}

/**
 * Creates a controller that is aborted with its parent, with the parent's reason unchanged; its own abort stays below it.
 *
 * The parent may be any controller or signal. It keeps the child alive only while somebody listens to the child, so a child
 * may simply be dropped; disposing it cuts it off at once. A parent that is aborted already gives an aborted child, and
 * nothing is registered anywhere.
 *
 * @throws TypeError if `parent` is neither a controller nor a signal.
 * @throws RangeError if `maxListeners` is not a whole number of at least 0.
 *
 * @example
 * using call = createChildAbortController(query)
 * await fetch(url, { signal: call.signal })
 */
export function createChildAbortController(
  parent: AbortController | AbortSignal,
  options: AbortControllerOptions = {},
): DisposableAbortController {
  return new LinkedController(parentNode(parent).asParents, checkMaxListeners(options))
}

/** Checks the option and hands it on. */
export function checkMaxListeners({ maxListeners }: AbortControllerOptions): number | undefined {
  if (maxListeners === undefined || (Number.isInteger(maxListeners) && maxListeners >= 0)) return maxListeners
  throw new RangeError(`maxListeners must be a whole number of at least 0, but is ${String(maxListeners)}`)
}
