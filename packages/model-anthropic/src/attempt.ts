import { createChildAbortController, type DisposableAbortController } from '@x/abort'
import { ModelError, type ModelErrorCode } from '@x/contract'

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
 * Its signal aborts with the caller's, with the caller's reason, and with a `ModelError` when a limit runs out. The connection
 * hangs on it.
 */
export class Attempt implements Disposable {
  readonly #controller: DisposableAbortController
  readonly #limits: AttemptLimits
  #reject: ((reason: unknown) => void) | null = null

  constructor(caller: AbortSignal, limits: AttemptLimits) {
    this.#controller = createChildAbortController(caller)
    this.#limits = limits
    // The first listener: the waiting caller learns the reason before the connection closes and reports its own end.
    this.signal.addEventListener('abort', () => this.#reject?.(this.signal.reason))
  }

  /** Aborts when the attempt ends in any way. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Waits for the response to begin, as long as both limits allow. */
  async waitForResponse<Value>(response: Promise<Value>): Promise<Value> {
    const timer = this.#abortAfter(this.#limits.timeoutMs, lateError)
    try {
      return await this.wait(response)
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Waits for one step. Rejects at once with the signal's reason when the attempt ends, also if the step itself takes no notice.
   * Time in which nobody waits does not count as silence.
   */
  async wait<Value>(
    step: Promise<Value>,
    idleTimeoutMs: number = this.#limits.idleTimeoutMs,
  ): Promise<Value> {
    const timer = this.#abortAfter(idleTimeoutMs, stalledError)
    try {
      return await new Promise<Value>((resolve, reject) => {
        this.#reject = reject
        step.then(resolve, reject)
        if (this.signal.aborted) reject(this.signal.reason)
      })
    } finally {
      clearTimeout(timer)
      this.#reject = null
    }
  }

  /** Closes the connection if it is still open, and lets go of the caller's signal. */
  [Symbol.dispose](): void {
    this.#controller.abort(over)
    this.#controller[Symbol.dispose]()
  }

  #abortAfter(ms: number, error: (ms: number) => ModelError): NodeJS.Timeout | undefined {
    return ms > 0 ? setTimeout(() => this.#controller.abort(error(ms)), ms) : undefined
  }
}

// One for all: nobody waits any more, and an abort without a reason makes an error with a stack each time.
const over = new DOMException('The attempt is over', 'AbortError')

function stalledError(ms: number): ModelError {
  return limitError('stalled', `The model service has sent nothing for ${ms / 1000} s`)
}

function lateError(ms: number): ModelError {
  return limitError('timeout', `The model service has not begun to answer after ${ms / 1000} s`)
}

function limitError(code: ModelErrorCode, message: string): ModelError {
  return new ModelError(message, { code, status: null, isRetryable: true })
}
