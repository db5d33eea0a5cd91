import type { Call } from './call.ts'

/** What the rules look at: how many calls are where. */
export interface Load {
  /** Begun and not answered. */
  executing: number
  /** Answered and not ended. */
  leftovers: number
  /** Exclusive calls among the executing and the leftovers. */
  exclusives: number
  /** Executing calls that wait to be let into `call()` because their input was replaced. */
  waiting: number
  /** The message before has not settled: only read-only calls begin. */
  isHeldBack: boolean
  readonly maxConcurrency: number
}

/** Every decision the executor takes about order and time, in one table, so that each can be tested by taking it out. */
export interface Rules {
  /** The queued call that may begin now. `queue` from `head` on holds queued calls and such as have left the queue. */
  pick(queue: readonly Call[], head: number, load: Load): Call | undefined
  /** Nothing runs that a call which is not safe could meet. */
  isIdle(load: Load): boolean
  /** A safe call may run beside what is there. */
  mayJoin(load: Load): boolean
  /** The replaced input of this call is not what it began with, so it must be let into `call()`. */
  mustWait(call: Call, load: Load): boolean
  /** The oldest waiting call may enter `call()`. */
  mayEnter(call: Call, load: Load): boolean
  /** Nothing further may begin for this call. */
  mustStop(call: Call): boolean
  /** A sibling failed before this call arrived. */
  isClosedToLater(hasSiblingFailed: boolean): boolean
  /** The consumer may go to sleep after a look that found something, or nothing. */
  maySleep(hasFound: boolean): boolean
}

/** The rules as the semantics state them. */
export const rules: Rules = {
  pick(queue, head, load) {
    const oldest = queue[head]
    return oldest !== undefined && mayBegin(this, oldest, load) ? oldest : undefined
  },
  isIdle: (load) => load.executing === 0 && load.leftovers === 0,
  mayJoin: (load) => load.exclusives === 0 && load.executing < load.maxConcurrency,
  mustWait: (call, load) => (!call.isExclusive && !call.declared.isConcurrencySafe) || isHeldBack(call, load),
  mayEnter: (call, load) =>
    load.executing === load.waiting && load.leftovers === 0 && !isHeldBack(call, load),
  mustStop: (call) => call.isAnswered,
  isClosedToLater: (hasSiblingFailed) => hasSiblingFailed,
  maySleep: (hasFound) => !hasFound,
}

/** Whether a call could begin if it were the oldest. */
export function mayBegin(rules: Rules, call: Call, load: Load): boolean {
  if (load.waiting > 0 || isHeldBack(call, load)) return false
  return rules.isIdle(load) || (call.declared.isConcurrencySafe && rules.mayJoin(load))
}

function isHeldBack(call: Call, load: Load): boolean {
  return load.isHeldBack && !call.declared.isReadOnly
}
