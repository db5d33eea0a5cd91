import type { Call } from './call.ts'

/** All calls of a message, in order of arrival. */
export class CallList {
  readonly #calls: Call[] = []
  /** Calls before this one are answered. */
  #firstUnanswered = 0

  /** How many there are. */
  get length(): number {
    return this.#calls.length
  }

  add(call: Call): void {
    this.#calls.push(call)
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
