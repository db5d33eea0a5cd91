import { AbortReason, createChildAbortController } from '@x/abort'

/** What the three levels need from around them. */
export interface ControllersOptions {
  readonly query: AbortController
  /** The query was aborted; called in the same moment. */
  readonly onQueryAbort: () => void
  /** False from the moment on in which nothing here may abort the query any more. */
  readonly mayAbortQuery: () => boolean
}

/** A call's own controller while the call lasts. */
export interface CallController {
  readonly controller: AbortController
  /** Stops hearing of it and cuts it off from above; aborted or not, it stays what it is. */
  readonly close: () => void
}

/**
 * The three levels of abort: query, siblings, call.
 *
 * A call hangs below the siblings' controller only if a failing sibling may take it along, else directly below the query's.
 */
export class Controllers {
  readonly #options: ControllersOptions
  readonly #onAbort = (): void => this.#options.onQueryAbort()
  #siblings: ReturnType<typeof createChildAbortController> | undefined
  #isListening = false

  constructor(options: ControllersOptions) {
    this.#options = options
  }

  /** Makes a call's own controller. Whoever else aborts it while `isOpen` says so ends the query with that reason. */
  open(isCancellable: boolean, isOpen: () => boolean): CallController {
    const controller = createChildAbortController(isCancellable ? this.#level() : this.#options.query)
    const { signal } = controller
    const onAbort = (): void => {
      if (isOpen()) this.abortQuery(signal.reason)
    }
    signal.addEventListener('abort', onAbort)
    const close = (): void => {
      signal.removeEventListener('abort', onAbort)
      controller[Symbol.dispose]()
    }
    return { controller, close }
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
