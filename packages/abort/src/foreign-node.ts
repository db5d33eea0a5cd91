import { AbortNode, fire } from './abort-node.ts'

/**
 * The node of a signal that was not made here. While a child is wanted it keeps one listener on that signal,
 * shared by all children.
 */
export class ForeignNode extends AbortNode {
  readonly #signal: AbortSignal
  readonly #tell = (): void => this.abort(this.#signal.reason)

  constructor(signal: AbortSignal) {
    super(hostless)
    this.#signal = signal
  }

  protected override ownAborted(): boolean {
    return this.#signal.aborted
  }

  protected override ownReason(): unknown {
    return this.#signal.reason
  }

  protected override linked(): void {
    this.#signal.addEventListener('abort', this.#tell, { once: true })
  }

  protected override unlinked(): void {
    this.#signal.removeEventListener('abort', this.#tell)
  }
}

const hostless = { [fire]: (): void => {} }

const nodes = new WeakMap<AbortSignal, ForeignNode>()

/** The one node of a foreign signal. */
export function foreignNode(signal: AbortSignal): ForeignNode {
  const known = nodes.get(signal)
  if (known !== undefined) return known
  const node = new ForeignNode(signal)
  nodes.set(signal, node)
  return node
}
