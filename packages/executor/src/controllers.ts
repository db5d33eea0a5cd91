import { AbortReason, createChildAbortController } from '@x/abort'

type ChildController = ReturnType<typeof createChildAbortController>

/** What the three levels need from around them. */
export interface ControllersOptions {
  readonly query: AbortController
  /** The query was aborted; called in the same moment. */
  readonly onQueryAbort: () => void
  /** False from the moment on in which nothing here may abort the query any more. */
  readonly mayAbortQuery: () => boolean
}

/** Whoever a controller is for. */
export interface ControllerOwner {
  readonly isAnswered: boolean
}

/**
 * The three levels of abort: query, siblings, call.
 *
 * A call hangs below the siblings' controller only if a failing sibling may take it along, else directly below the query's.
 */
export class Controllers {
  readonly #options: ControllersOptions
  readonly #onAbort = (): void => this.#options.onQueryAbort()
  #siblings: ChildController | undefined
  #isListening = false

  constructor(options: ControllersOptions) {
    this.#options = options
  }

  /** Makes a call's own controller. Whoever else aborts it before the call is answered ends the query with that reason. */
  open(owner: ControllerOwner, isCancellable: boolean): CallController {
    const controller = createChildAbortController(isCancellable ? this.#level() : this.#options.query)
    return new CallController(controller, owner, this)
  }

  /** Aborts every call that hangs below the siblings' controller. */
  abortSiblings(failed: { readonly toolUseId: string; readonly toolName: string }): void {
    this.#level().abort(new AbortReason('sibling-failed', { facts: failed }))
  }

  /** Ends the query, unless it has ended or the message was withdrawn. */
  abortQuery(reason: unknown): void {
    const { query, mayAbortQuery } = this.#options
    if (mayAbortQuery() && !query.signal.aborted) query.abort(reason)
  }

  /** Hears of the query's abort from now on. */
  listen(): void {
    const { signal } = this.#options.query
    if (this.#isListening || signal.aborted) return
    this.#isListening = true
    signal.addEventListener('abort', this.#onAbort)
  }

  /** Leaves nothing behind on the query. */
  close(): void {
    this.#options.query.signal.removeEventListener('abort', this.#onAbort)
    this.#siblings?.[Symbol.dispose]()
  }

  #level(): AbortController {
    this.#siblings ??= createChildAbortController(this.#options.query)
    return this.#siblings
  }
}

/** A call's own controller while the call lasts. One object, which is its own listener: there is one for each call. */
export class CallController {
  /** What the call sees. */
  readonly controller: AbortController
  readonly #child: ChildController
  readonly #owner: ControllerOwner
  readonly #levels: Controllers

  constructor(child: ChildController, owner: ControllerOwner, levels: Controllers) {
    this.controller = child
    this.#child = child
    this.#owner = owner
    this.#levels = levels
    child.signal.addEventListener('abort', this)
  }

  /** Hears of the abort. One that the executor itself caused comes after the answer. */
  handleEvent(): void {
    if (!this.#owner.isAnswered) this.#levels.abortQuery(this.controller.signal.reason)
  }

  /** Stops hearing of it and cuts it off from above; aborted or not, it stays what it is. */
  close(): void {
    this.#child.signal.removeEventListener('abort', this)
    this.#child[Symbol.dispose]()
  }
}
