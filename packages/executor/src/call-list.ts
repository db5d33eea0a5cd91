import type { Call } from './call.ts'

/** All calls of a message, in order of arrival. */
export class CallList {
  readonly #calls: Call[] = []
  readonly #hasOne = Promise.withResolvers<boolean>()
  /** Calls before this one are answered. */
  #firstUnanswered = 0

  /** How many there are. */
  get length(): number {
    return this.#calls.length
  }

  /** Whether there is one call alone, as soon as that is known; false if a call is answered before. */
  get hasOne(): Promise<boolean> {
    return this.#hasOne.promise
  }

  add(call: Call): void {
    this.#calls.push(call)
    if (this.#calls.length > 1) this.#hasOne.resolve(false)
  }

  /** No further call comes. */
  close(): void {
    this.#hasOne.resolve(this.#calls.length === 1)
  }

  /** A call has its answer: nobody has to wait for the number of calls any more. */
  answered(): void {
    this.#hasOne.resolve(false)
  }

  at(order: number): Call | undefined {
    return this.#calls[order]
  }

  /** Those that wait for an answer; costs as much as there are behind the oldest of them. */
  unanswered(): readonly Call[] {
    while (this.#calls[this.#firstUnanswered]?.isAnswered === true) this.#firstUnanswered++
    return this.#calls.slice(this.#firstUnanswered).filter((call) => !call.isAnswered)
  }

  /** Those that have begun and whose answer was not handed out. */
  kept(): readonly Call[] {
    return this.#calls.filter((call) => call.state === 'completed' && call.run !== undefined)
  }
}
