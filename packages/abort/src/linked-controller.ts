import { type AbortHost, AbortNode, fire } from './abort-node.ts'
import { linkSignal } from './linked-signal.ts'

/** An `AbortController` that can be cut off from its parent: `using` does it at the end of the block. */
export interface DisposableAbortController extends AbortController, Disposable {
  /**
   * Cuts the controller off from its parent without aborting it. What was aborted stays so, and the controller itself
   * can still be aborted. Twice is harmless.
   */
  [Symbol.dispose](): void
}

/** The controller behind all factories. Its signal is made when it is first asked for. */
export class LinkedController extends AbortController implements AbortHost, DisposableAbortController {
  /** The place in the tree. */
  readonly node: AbortNode
  readonly #maxListeners: number | undefined
  #signal: AbortSignal | undefined

  constructor(parents?: readonly AbortNode[], maxListeners?: number) {
    super()
    this.node = new AbortNode(this, parents)
    this.#maxListeners = maxListeners
  }

  override get signal(): AbortSignal {
    this.#signal ??= this.#createSignal()
    return this.#signal
  }

  override abort(reason?: unknown): void {
    this.node.abort(
      reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason,
    )
  }

  [fire](reason: unknown): void {
    if (this.#signal !== undefined) super.abort(reason)
  }

  [Symbol.dispose](): void {
    this.node.detach()
  }

  #createSignal(): AbortSignal {
    const signal = linkSignal(super.signal, this.node, this.#maxListeners)
    if (this.node.settled) super.abort(this.node.reason)
    return signal
  }
}
