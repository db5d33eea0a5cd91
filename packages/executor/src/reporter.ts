import type { UiCallbacks } from '@x/contract'
import type { Call } from './call.ts'
import type { DebugRecord } from './types.ts'

/** Tells the outside what runs: the debug log, and the user interface. Whoever listens and throws is ignored. */
export class Reporter {
  readonly #debug: ((record: DebugRecord) => void) | undefined
  readonly #ui: UiCallbacks | undefined
  readonly #executing = new Set<Call>()
  readonly #runningIds = new Set<string>()
  readonly #runningCounts = new Map<string, number>()
  #blocking = 0
  #isInterruptible = false

  constructor(debug: ((record: DebugRecord) => void) | undefined, ui: UiCallbacks | undefined) {
    this.#debug = debug
    this.#ui = ui
  }

  /** The call began. */
  began(call: Call): void {
    this.#executing.add(call)
    if (call.declared.interruptBehavior === 'block') this.#blocking++
    this.record(call, 'executing')
    this.#count(call.id, 1)
    this.#reportInterruptible()
  }

  /** A call that had begun was answered. */
  answered(call: Call): void {
    this.#executing.delete(call)
    if (call.declared.interruptBehavior === 'block') this.#blocking--
    this.#reportInterruptible()
  }

  /** The result of a call that had begun was handed out, or never will be. */
  left(call: Call): void {
    this.#count(call.id, -1)
  }

  /** Writes one line of the debug log. */
  record(call: Call, state: DebugRecord['state'], detail?: string): void {
    const debug = this.#debug
    if (debug === undefined) return
    attempt(() =>
      debug({
        toolUseId: call.id,
        toolName: call.tool?.name ?? call.block.name,
        state,
        isConcurrencySafe: call.declared.isConcurrencySafe,
        beside: [...this.#executing].filter((other) => other !== call).map((other) => other.id),
        ...(detail !== undefined && { detail }),
      }),
    )
  }

  #count(id: string, step: 1 | -1): void {
    if (this.#ui?.inProgress === undefined) return
    const count = (this.#runningCounts.get(id) ?? 0) + step
    if (count > 0) this.#runningCounts.set(id, count)
    else this.#runningCounts.delete(id)
    if (count > 0) this.#runningIds.add(id)
    else this.#runningIds.delete(id)
    attempt(() => this.#ui?.inProgress?.(this.#runningIds))
  }

  #reportInterruptible(): void {
    const isInterruptible = this.#executing.size > 0 && this.#blocking === 0
    if (isInterruptible === this.#isInterruptible) return
    this.#isInterruptible = isInterruptible
    attempt(() => this.#ui?.interruptible?.(isInterruptible))
  }
}

function attempt(report: () => void): void {
  try {
    report()
  } catch {
    // A listener's fault is no fault of the call.
  }
}
