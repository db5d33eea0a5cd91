import type { CallFacts } from './call-facts.ts'
import type { Check } from './invariants.ts'
import type { Trace } from './trace.ts'

/** V8 and V9: who is cancelled by a failing sibling or an interruption, and nobody else. */
export function checkCancellation({ trace, calls, report }: Check): void {
  const failure = firstFailure(trace, calls)
  for (const facts of calls) {
    const { call, answer } = facts
    if (answer === undefined) continue
    const isVictim = failure !== undefined && isTakenAlong(facts, failure, trace)
    if (isVictim !== (answer.cause === 'sibling-failed')) {
      report('V8', `${call} is answered ${answer.cause}, the first failure is ${JSON.stringify(failure)}`)
    }
    const wasInterrupted = isInterrupted(facts, trace)
    if (wasInterrupted !== (answer.cause === 'user-interrupted'))
      report('V9', `${call} is answered ${answer.cause}`)
  }
  if (failure !== undefined && calls[failure.call]?.answer?.cause === 'sibling-failed')
    report('V8', 'the failed call')
}

interface Failure {
  readonly call: number
  readonly seq: number
}

/** The first failure of a call that was not cancelled and that cancels siblings. */
function firstFailure({ world }: Trace, calls: readonly CallFacts[]): Failure | undefined {
  if (world.siblingPolicy === 'none') return undefined
  return calls
    .flatMap(({ call, of, answer, flagsAt }) => {
      const failures = [...of('fail'), ...of('ret').filter(({ isFailure }) => isFailure)]
      return failures
        .filter(({ seq }) => (answer === undefined || answer.seq > seq) && flagsAt(seq).cancels)
        .map(({ seq }) => ({ call, seq }))
    })
    .sort((one, other) => one.seq - other.seq)[0]
}

function isTakenAlong(facts: CallFacts, failure: Failure, trace: Trace): boolean {
  const { call, plan, arrive, answer, flagsAt, of } = facts
  if (call === failure.call || plan.kind === 'unknown' || arrive === undefined || answer === undefined)
    return false
  const isCancellable = (seq: number): boolean =>
    trace.world.siblingPolicy === 'all' || !flagsAt(seq).readOnly
  const wasThere = arrive.seq < failure.seq
  if (wasThere && answer.seq < failure.seq) return false
  const from = wasThere ? failure.seq : arrive.seq + 1
  if (isCancellable(from)) return wasThere || !isDiscardedBefore(arrive.seq, trace)
  // A replaced input puts the call below the siblings' controller, which is aborted by then.
  return of('rewrite').some(({ seq }) => seq > from && seq < answer.seq && isCancellable(seq + 1))
}

function isDiscardedBefore(seq: number, { events }: Trace): boolean {
  return events.slice(0, seq).some(({ type }) => type === 'discarded')
}

function isInterrupted({ plan, arrive, answer }: CallFacts, { events }: Trace): boolean {
  if (plan.kind !== 'cancellable' || arrive === undefined || answer === undefined) return false
  return events.some(
    (event, seq) =>
      event.type === 'blow' && event.kind === 'interrupt' && seq > arrive.seq && seq < answer.seq,
  )
}
