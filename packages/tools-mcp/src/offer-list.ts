import type { Log } from './link.ts'
import { nameOffers, type Offer, type OfferOptions } from './offers.ts'
import type { ToolListing } from './server-tool.ts'

/** What a list of offers needs. */
export interface OfferListOptions extends Omit<OfferOptions, 'before'> {
  /** Hears what was left out, each thing once. */
  readonly log: Log
}

/** What one server offers now. */
export class OfferList {
  readonly #options: OfferListOptions
  #offers: readonly Offer[] = []
  #problems: readonly string[] = []

  constructor(options: OfferListOptions) {
    this.#options = options
  }

  /** What the model can call. */
  get offers(): readonly Offer[] {
    return this.#offers
  }

  /** Tools that were left out, and why. */
  get problems(): readonly string[] {
    return this.#problems
  }

  /** Takes what the server lists; true when that changes what is offered. */
  take({ tools, problems }: ToolListing): boolean {
    const before = this.#offers
    this.#offers = nameOffers(tools, { ...this.#options, before })
    for (const problem of problems) {
      if (!this.#problems.includes(problem)) this.#options.log('warning', problem)
    }
    this.#problems = problems
    return (
      this.#offers.length !== before.length || this.#offers.some((offer, index) => offer !== before[index])
    )
  }

  /** Nothing can be called any more. */
  clear(): void {
    this.#offers = []
  }
}
