import type { AbortNode } from './abort-node.ts'
import { foreignNode } from './foreign-node.ts'
import { LinkedController } from './linked-controller.ts'
import { nodeOfSignal } from './linked-signal.ts'

/**
 * The node of a controller or signal, whoever made it.
 *
 * @throws TypeError if it is neither.
 */
export function parentNode(parent: AbortController | AbortSignal): AbortNode {
  if (parent instanceof LinkedController) return parent.node
  const signal = parent instanceof AbortController ? parent.signal : parent
  if (!(signal instanceof AbortSignal)) {
    throw new TypeError(`Expected an AbortController or an AbortSignal, but got ${describe(parent)}`)
  }
  return nodeOfSignal(signal) ?? foreignNode(signal)
}

function describe(value: unknown): string {
  return value === null ? 'null' : typeof value
}
