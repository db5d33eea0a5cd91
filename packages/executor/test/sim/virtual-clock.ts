import type { Clock } from '../../src/index.ts'

interface Timer {
  readonly dueMs: number
  readonly order: number
  readonly fire: () => void
}

/** Time that passes only when a test says so. */
export class VirtualClock implements Clock {
  #nowMs = 0
  #order = 0
  readonly #timers = new Set<Timer>()

  now(): number {
    return this.#nowMs
  }

  setTimeout(fire: () => void, ms: number): unknown {
    const timer = { dueMs: this.#nowMs + Math.max(0, ms), order: this.#order++, fire }
    this.#timers.add(timer)
    return timer
  }

  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as Timer)
  }

  /** Timers that have not fired. */
  get pending(): number {
    return this.#timers.size
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.setTimeout(resolve, ms))
  }

  /** Goes to the next moment at which something is due and takes what is due then; empty when nothing is left. */
  advance(): (() => void)[] {
    const all = [...this.#timers]
    if (all.length === 0) return []
    this.#nowMs = Math.min(...all.map(({ dueMs }) => dueMs))
    return all
      .filter(({ dueMs }) => dueMs === this.#nowMs)
      .sort((one, other) => one.order - other.order)
      .map((timer) => () => {
        // Another timer of the same moment may have cleared this one.
        if (this.#timers.delete(timer)) timer.fire()
      })
  }
}

/** Lets every promise that can go on go on. */
export function flush(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
