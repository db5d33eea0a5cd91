import { siblingText } from './answers.ts'
import type { Call } from './call.ts'
import type { Rules } from './rules.ts'
import type { Run } from './run.ts'
import type { ExecutorOptions } from './types.ts'

/** The calls of one message as siblings: whom a failure takes along, and whether it has happened. */
export class SiblingGroup {
  readonly #policy: NonNullable<ExecutorOptions['siblingPolicy']>
  readonly #rules: Rules
  #failure: string | undefined

  constructor(policy: ExecutorOptions['siblingPolicy'], rules: Rules) {
    this.#policy = policy ?? 'effects'
    this.#rules = rules
  }

  /** What the victims are told; `undefined` while nobody has failed. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** Whether a failing sibling may take this call along. */
  isCancellable({ declared }: Call): boolean {
    return this.#policy === 'all' || (this.#policy === 'effects' && !declared.isReadOnly)
  }

  /** Whether a call that arrives now is a victim already. */
  hasTaken(call: Call): boolean {
    return this.#rules.isClosedToLater(this.#failure !== undefined) && this.isCancellable(call)
  }

  /** Takes a failure in; true if it is the one that closes the group. */
  close({ call, tool, input }: Run): boolean {
    const isFirst = this.#failure === undefined
    if (!isFirst || this.#policy === 'none' || !call.declared.failureCancelsSiblings) return false
    this.#failure = siblingText(tool.name, input)
    return true
  }
}
