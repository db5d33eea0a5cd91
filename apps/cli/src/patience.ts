import { setTimeout as sleep } from 'node:timers/promises'

/** A limited wait that ends with its scope. */
export class Patience implements Disposable {
  /** Resolves with `over` when the time is, in milliseconds; with nothing when the scope ends before. */
  readonly over: Promise<'over' | undefined>
  readonly #controller = new AbortController()

  constructor(ms: number) {
    this.over = sleep(ms, 'over' as const, { signal: this.#controller.signal }).catch(() => undefined)
  }

  [Symbol.dispose](): void {
    this.#controller.abort()
  }
}
