import type { Call } from './call.ts'
import type { Load, Rules } from './rules.ts'

/** What the scheduler needs. */
export interface SchedulerOptions {
  readonly rules: Rules
  readonly maxConcurrency: number
  /** Starts a call's pipeline. Must not throw. */
  readonly begin: (call: Call) => void
}

/** Keeps count of who executes and decides who begins. Each step costs the same, however many calls there are. */
export class Scheduler {
  readonly load: Load
  readonly #rules: Rules
  readonly #begin: (call: Call) => void
  readonly #queue: Call[] = []
  #head = 0
  readonly #waiting: Call[] = []
  #isWaitingSorted = true
  #isLooking = false
  #mustLookAgain = false

  constructor({ rules, maxConcurrency, begin }: SchedulerOptions) {
    this.#rules = rules
    this.#begin = begin
    this.load = { executing: 0, leftovers: 0, exclusives: 0, waiting: 0, isHeldBack: false, maxConcurrency }
  }

  /** Puts a call at the end of the queue; it begins when `look` finds that it may. */
  enqueue(call: Call): void {
    this.#queue.push(call)
  }

  /** Lets everybody go on who may. Called from inside itself, it looks once more. */
  look(): void {
    this.#mustLookAgain = true
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      while (this.#mustLookAgain) {
        this.#mustLookAgain = false
        this.#letIn()
        this.#beginNext()
      }
    } finally {
      this.#isLooking = false
    }
  }

  /** Waits until a call whose input was replaced may enter `call()`; nothing to wait for in most cases. */
  judge(call: Call): Promise<void> | undefined {
    if (!this.#rules.mustWait(call, this.load)) return undefined
    this.load.waiting++
    this.#waiting.push(call)
    this.#isWaitingSorted = false
    const { promise, resolve } = Promise.withResolvers<void>()
    call.goOn = resolve
    this.look()
    return promise
  }

  /** An executing call was answered; until it ends it is a leftover. */
  answered(call: Call): void {
    this.load.executing--
    if (call.goOn !== undefined) this.#stopWaiting(call)
    if (call.hasEnded) this.#leave(call)
    else this.load.leftovers++
  }

  /** A leftover ended, or its grace is over. */
  ended(call: Call): void {
    this.load.leftovers--
    this.#leave(call)
  }

  #beginNext(): void {
    this.#skipGone()
    const call = this.#rules.pick(this.#queue, this.#head, this.load)
    if (call === undefined) return
    call.state = 'executing'
    call.isExclusive = !call.declared.isConcurrencySafe
    this.load.executing++
    if (call.isExclusive) this.load.exclusives++
    this.#mustLookAgain = true
    this.#begin(call)
  }

  #letIn(): void {
    const call = this.#oldestWaiting()
    if (call === undefined || !this.#rules.mayEnter(call, this.load)) return
    if (!call.isExclusive) this.load.exclusives++
    call.isExclusive = true
    this.#stopWaiting(call)
  }

  /** The first in order of arrival. Nobody joins those that wait once the first of them may enter, so one sort is enough. */
  #oldestWaiting(): Call | undefined {
    if (this.load.executing !== this.load.waiting) return undefined
    if (!this.#isWaitingSorted) this.#waiting.sort((one, other) => other.order - one.order)
    this.#isWaitingSorted = true
    while (this.#waiting.length > 0 && this.#waiting.at(-1)?.goOn === undefined) this.#waiting.pop()
    return this.#waiting.at(-1)
  }

  #stopWaiting(call: Call): void {
    this.load.waiting--
    call.goOn?.()
    call.goOn = undefined
  }

  #leave(call: Call): void {
    if (call.isExclusive) this.load.exclusives--
  }

  #skipGone(): void {
    while (this.#head < this.#queue.length && this.#queue[this.#head]?.state !== 'queued') this.#head++
  }
}
