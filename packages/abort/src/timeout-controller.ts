import { fire, hold } from './abort-node.ts'
import { TimeoutReason } from './abort-reason.ts'
import { type AbortControllerOptions, checkMaxListeners } from './create-abort-controller.ts'
import { type DisposableAbortController, LinkedController } from './linked-controller.ts'
import { parentNode } from './parent-node.ts'

/** Options of `createTimeoutAbortController`. */
export interface TimeoutAbortControllerOptions extends AbortControllerOptions {
  /** Aborts the controller too, with its own reason. @default none */
  readonly parent?: AbortController | AbortSignal
}

/**
 * Creates a controller that aborts itself after a time, with a `TimeoutReason`.
 *
 * The timer does not keep the process alive. It is cleared when the controller is aborted or disposed; until then
 * it holds the controller, so dispose it when the work is done.
 *
 * @throws RangeError if `timeoutMs` is not between 0 and 2,147,483,647.
 * @throws TypeError if `parent` is neither a controller nor a signal.
 *
 * @example
 * using limit = createTimeoutAbortController(5_000, { parent: context.abortController })
 * await fetch(url, { signal: limit.signal })
 */
export function createTimeoutAbortController(
  timeoutMs: number,
  options: TimeoutAbortControllerOptions = {},
): DisposableAbortController {
  if (!(timeoutMs >= 0 && timeoutMs <= longestTimeoutMs)) {
    throw new RangeError(`timeoutMs must be between 0 and ${longestTimeoutMs}, but is ${timeoutMs}`)
  }
  return new TimeoutController(timeoutMs, options)
}

const longestTimeoutMs = 2 ** 31 - 1

class TimeoutController extends LinkedController {
  #timer: NodeJS.Timeout | undefined

  constructor(timeoutMs: number, options: TimeoutAbortControllerOptions) {
    super(options.parent && parentNode(options.parent).asParents, checkMaxListeners(options))
    if (this.node.aborted) return
    this.#timer = setTimeout(expire, timeoutMs, this, timeoutMs)
    this.#timer.unref()
    // The parent has to know the child while the timer runs, so that its abort clears the timer.
    this.node.hold(hold.timer)
  }

  override [fire](reason: unknown): void {
    this.#clear()
    super[fire](reason)
  }

  override [Symbol.dispose](): void {
    super[Symbol.dispose]()
    this.#clear()
  }

  #clear(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.node.release(hold.timer)
  }
}

function expire(controller: TimeoutController, timeoutMs: number): void {
  controller.abort(new TimeoutReason(timeoutMs))
}
