import { ModelError } from '@x/contract'

/** Limits of one attempt, in milliseconds; 0 is no limit. */
export interface AttemptLimits {
  /** Silence, before and within the response. */
  readonly idleTimeoutMs: number
  /** Time until the response begins. */
  readonly timeoutMs: number
}

/**
 * One try at a request: what can end it from outside is here, and nothing of it is left when it is disposed.
 *
 * Its own signal closes the connection. The caller's signal gets one listener, for as long as the attempt lasts.
 */
export class Attempt implements Disposable {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal
  readonly #limits: AttemptLimits
  #reject: ((reason: unknown) => void) | null = null
  #timeoutTimer: NodeJS.Timeout | undefined
  /** What ended the attempt from outside, once something has. */
  #failure: { readonly reason: unknown } | null = null

  readonly #onAbort = (): void => this.#fail(this.#caller.reason)

  constructor(caller: AbortSignal, limits: AttemptLimits) {
    caller.throwIfAborted()
    this.#caller = caller
    this.#limits = limits
    caller.addEventListener('abort', this.#onAbort)
    if (limits.timeoutMs > 0)
      this.#timeoutTimer = setTimeout(() => this.#fail(lateError(limits)), limits.timeoutMs)
  }

  /** Aborts when the attempt ends in any way; the connection hangs on it. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Throws the caller's reason if the caller has aborted. */
  throwIfAborted(): void {
    this.#caller.throwIfAborted()
  }

  /** Says that the response has begun: from here on only silence counts. */
  begin(): void {
    clearTimeout(this.#timeoutTimer)
  }

  /**
   * Waits for one step. Rejects at once with the caller's reason after an abort, and with a `ModelError` when the limits run out,
   * also if the step itself takes no notice. Time in which nobody waits does not count as silence.
   */
  wait<Value>(step: Promise<Value>, idleTimeoutMs: number = this.#limits.idleTimeoutMs): Promise<Value> {
    const waiting = Promise.withResolvers<Value>()
    const timer =
      idleTimeoutMs > 0 ? setTimeout(() => this.#fail(stalledError(idleTimeoutMs)), idleTimeoutMs) : undefined
    // Before the waiting caller goes on, and perhaps waits for the next step: only then is this one's timer surely its own.
    const settle = (): void => {
      clearTimeout(timer)
      this.#reject = null
    }
    this.#reject = (reason) => {
      settle()
      waiting.reject(reason)
    }
    step.then(
      (value) => {
        if (this.#failure !== null) return
        settle()
        waiting.resolve(value)
      },
      (failure: unknown) => {
        if (this.#failure !== null) return
        settle()
        waiting.reject(failure)
      },
    )
    if (this.#failure !== null) this.#reject(this.#failure.reason)
    return waiting.promise
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timeoutTimer)
    this.#caller.removeEventListener('abort', this.#onAbort)
    this.#controller.abort()
  }

  // First the waiting caller learns the reason, then the connection closes: the error of closing comes too late to hide it.
  #fail(reason: unknown): void {
    this.#failure ??= { reason }
    this.#reject?.(this.#failure.reason)
    this.#controller.abort()
  }
}

function stalledError(idleTimeoutMs: number): ModelError {
  return new ModelError(`The model service has sent nothing for ${idleTimeoutMs / 1000} s`, {
    code: 'stalled',
    status: null,
    isRetryable: true,
  })
}

function lateError({ timeoutMs }: AttemptLimits): ModelError {
  return new ModelError(`The model service has not begun to answer after ${timeoutMs / 1000} s`, {
    code: 'timeout',
    status: null,
    isRetryable: true,
  })
}
