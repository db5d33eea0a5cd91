import { LinkedController } from './linked-controller.ts'
import { parentNode } from './parent-node.ts'

/** A signal that follows several others. */
export interface AnySignal extends Disposable {
  /** Aborted as soon as one of the others is, with its reason. */
  readonly signal: AbortSignal
  /** Stops following. Twice is harmless; without it the signal is collected once nobody can hear through it. */
  [Symbol.dispose](): void
}

/**
 * Makes one signal of several: it is aborted with the first of them that is, with that one's reason unchanged.
 *
 * An `undefined` among the signals is left out; without any signal the result is never aborted. If several are aborted
 * already, the first in the list wins.
 *
 * @throws TypeError if one of them is not a signal.
 *
 * @example
 * using either = anySignal([context.abortController.signal, options.signal])
 * await setTimeout(1_000, undefined, { signal: either.signal })
 */
export function anySignal(signals: Iterable<AbortSignal | undefined>): AnySignal {
  const parents = [...new Set(signals)].flatMap((signal) =>
    signal === undefined ? [] : [parentNode(signal)],
  )
  const first = parents.find((parent) => parent.aborted)
  if (first === undefined) return new LinkedController(parents)
  const aborted = new LinkedController()
  aborted.abort(first.reason)
  return aborted
}
