/** Why a node has to hear of an abort above it; each reason is one bit. */
export const hold = { listener: 1, follower: 2, timer: 4 } as const

/** Called once when a node is aborted; the node is marked before. */
export const fire: unique symbol = Symbol('fire')

/** The native controller behind a node. */
export interface AbortHost {
  [fire](reason: unknown): void
}

const none: readonly AbortNode[] = []

/**
 * One place in the tree of controllers.
 *
 * A node always knows its parents. Its parents know it only while it is wanted: while somebody listens to it, its
 * timer runs, or one of its children is wanted. So a parent never keeps a dropped child alive, and a child through
 * which somebody can still hear is never lost. A node that is not wanted asks upwards when it is polled.
 *
 * All walks are loops, so a chain of any length is safe.
 */
export class AbortNode {
  readonly #host: AbortHost
  #parents: readonly AbortNode[]
  #asParents: readonly AbortNode[] | undefined
  #wantedChildren: Set<AbortNode> | undefined
  #holds = 0
  #linked = false
  #settled = false
  #reason: unknown
  #moment = 0

  constructor(host: AbortHost, parents: readonly AbortNode[] = none) {
    this.#host = host
    this.#parents = parents
  }

  /** The `parents` of a child of this node alone; one array for all of them. */
  get asParents(): readonly AbortNode[] {
    this.#asParents ??= [this]
    return this.#asParents
  }

  /** Whether the abort has reached this node itself. */
  get settled(): boolean {
    return this.#settled
  }

  /** Whether this node or one above it is aborted. */
  get aborted(): boolean {
    return this.ownAborted() || this.#askAbove() !== undefined
  }

  /** The reason of the abort, here or above; `undefined` while there is none. */
  get reason(): unknown {
    if (this.ownAborted()) return this.ownReason()
    return this.#askAbove()?.ownReason()
  }

  /**
   * Aborts this node and every wanted node below it, once.
   *
   * All are marked first and then fired: parents before children, children in the order in which they became
   * wanted. An abort above that this node has not heard of yet came first, so its reason wins.
   */
  abort(reason: unknown): void {
    if (this.#settled) return
    const above = this.#abortedAbove()
    if (above === undefined) this.#spread(reason, this.#noticed())
    else this.#spread(above.ownReason(), above.#noticed())
  }

  /** Makes the parents know this node until every hold is released. Holding twice is holding once. */
  hold(why: number): void {
    this.#holds |= why
    if (this.#linked || this.#settled || this.#askAbove() !== undefined) return
    const pending: AbortNode[] = [this]
    for (const node of pending) {
      if (node.#linked) continue
      node.#linked = true
      node.linked()
      for (const parent of node.#parents) {
        parent.#wantedChildren ??= new Set()
        parent.#wantedChildren.add(node)
        if (!parent.#linked) pending.push(parent)
      }
    }
  }

  /** Takes a hold back. Nodes that nobody wants any more leave their parents, up the tree. */
  release(why: number): void {
    this.#holds &= ~why
    AbortNode.#unlinkIdle([this])
  }

  /** Cuts the node off from its parents. What was aborted stays aborted. */
  detach(): void {
    if (!this.aborted) this.#leaveParents()
  }

  /** Whether this node itself is aborted, without a look above. */
  protected ownAborted(): boolean {
    return this.#settled
  }

  /** The reason that belongs to `ownAborted`. */
  protected ownReason(): unknown {
    return this.#reason
  }

  /** Called when the node becomes wanted. */
  protected linked(): void {}

  /** Called when nobody wants the node any more, or it is aborted. */
  protected unlinked(): void {}

  /**
   * The aborted node above. A node that nobody wants takes the abort over at once, which frees its parents; a wanted
   * one is being told at this moment, and its listeners run then, not from inside a getter.
   */
  #askAbove(): AbortNode | undefined {
    const above = this.#abortedAbove()
    if (above !== undefined && !this.#linked) this.#spread(above.ownReason(), above.#noticed())
    return above
  }

  #abortedAbove(): AbortNode | undefined {
    let parents = this.#parents
    while (parents.length === 1) {
      // By its place: taking the list apart would make an iterator for each look.
      const parent = parents[0]
      if (parent === undefined) return undefined
      if (parent.ownAborted()) return parent
      parents = parent.#parents
    }
    return parents.length === 0 ? undefined : AbortNode.#firstAborted(parents)
  }

  /** When this node was aborted, or, of a foreign signal, when that was first seen: a count, not a time. */
  #noticed(): number {
    if (this.#moment === 0) this.#moment = AbortNode.#nextMoment()
    return this.#moment
  }

  #spread(reason: unknown, moment: number): void {
    const reached: AbortNode[] = [this]
    const settled: AbortNode[] = []
    for (const node of reached) {
      if (node.#settled) continue
      const children = node.#wantedChildren ?? none
      node.#settle(reason)
      node.#moment = moment
      settled.push(node)
      for (const child of children) reached.push(child)
    }
    for (const node of settled) node.#host[fire](reason)
  }

  #settle(reason: unknown): void {
    this.#settled = true
    this.#reason = reason
    this.#wantedChildren = undefined
    this.#leaveParents()
    if (!this.#linked) return
    this.#linked = false
    this.unlinked()
  }

  #leaveParents(): void {
    const parents = this.#parents
    this.#parents = none
    if (!this.#linked) return
    for (const parent of parents) parent.#wantedChildren?.delete(this)
    AbortNode.#unlinkIdle([...parents])
  }

  static #moments = 0

  static #nextMoment(): number {
    AbortNode.#moments += 1
    return AbortNode.#moments
  }

  /** Of several lines upwards, the one whose nearest abort came first. The set keeps diamonds from being walked twice. */
  static #firstAborted(parents: readonly AbortNode[]): AbortNode | undefined {
    let first: AbortNode | undefined
    const seen = new Set(parents)
    for (const node of seen) {
      if (!node.ownAborted()) for (const parent of node.#parents) seen.add(parent)
      else if (first === undefined || node.#noticed() < first.#noticed()) first = node
    }
    return first
  }

  static #unlinkIdle(pending: AbortNode[]): void {
    for (const node of pending) {
      if (!node.#linked || node.#holds !== 0 || (node.#wantedChildren?.size ?? 0) > 0) continue
      node.#linked = false
      node.unlinked()
      for (const parent of node.#parents) {
        parent.#wantedChildren?.delete(node)
        pending.push(parent)
      }
    }
  }
}
