import type { Call } from './call.ts'
import type { Clock } from './types.ts'

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** What the watch over leftovers needs. */
export interface LeftoversOptions {
  readonly clock: Clock
  readonly graceMs: number
  /** The call still runs, but its place is free from now on. */
  readonly onOver: (call: Call) => void
}

/** Watches calls that were answered before they ended. All have the same grace, so one timer for the oldest is enough. */
export class Leftovers {
  readonly #options: LeftoversOptions
  readonly #watched: { readonly call: Call; readonly dueMs: number }[] = []
  #first = 0
  #timer: unknown

  constructor(options: LeftoversOptions) {
    this.#options = options
  }

  /** Gives a call its grace from now on. */
  add(call: Call): void {
    this.#watched.push({ call, dueMs: this.#options.clock.now() + this.#options.graceMs })
    this.#arm()
  }

  /** Forgets the calls that ended; without any left the timer goes. */
  tidy(): void {
    this.#skipEnded()
    if (this.#first < this.#watched.length || this.#timer === undefined) return
    this.#options.clock.clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #arm(): void {
    const oldest = this.#watched[this.#first]
    if (oldest === undefined || this.#timer !== undefined || !Number.isFinite(oldest.dueMs)) return
    const ms = Math.min(Math.max(0, oldest.dueMs - this.#options.clock.now()), LONGEST_TIMER_MS)
    this.#timer = this.#options.clock.setTimeout(() => this.#ring(), ms)
  }

  #ring(): void {
    this.#timer = undefined
    const nowMs = this.#options.clock.now()
    for (;;) {
      this.#skipEnded()
      const oldest = this.#watched[this.#first]
      if (oldest === undefined || oldest.dueMs > nowMs) break
      this.#first++
      this.#options.onOver(oldest.call)
    }
    this.#arm()
  }

  #skipEnded(): void {
    while (this.#watched[this.#first]?.call.hasEnded === true) this.#first++
    if (this.#first < this.#watched.length) return
    this.#watched.length = 0
    this.#first = 0
  }
}
