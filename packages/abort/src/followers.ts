import { type AbortNode, hold } from './abort-node.ts'

/**
 * The set in which Node notes the listened-to signals that `AbortSignal.any` made of one of ours. Node adds no
 * listener for them, so the set itself says that somebody wants to hear.
 */
export class Followers extends Set<unknown> {
  readonly #node: AbortNode

  constructor(node: AbortNode) {
    super()
    this.#node = node
  }

  override add(follower: unknown): this {
    this.#node.hold(hold.follower)
    return super.add(follower)
  }

  override delete(follower: unknown): boolean {
    const deleted = super.delete(follower)
    if (this.size === 0) this.#node.release(hold.follower)
    return deleted
  }
}
