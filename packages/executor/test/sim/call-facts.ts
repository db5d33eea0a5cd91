import type { ToolResultEvent } from '../../src/index.ts'
import type { Trace, TraceEvent } from './trace.ts'
import type { CallPlan, Flags } from './world.ts'

type Of<Type extends TraceEvent['type']> = Extract<TraceEvent, { readonly type: Type }> & {
  readonly seq: number
}

/** What a trace says about one call. Sequence numbers are places in the trace. */
export interface CallFacts {
  readonly call: number
  readonly plan: CallPlan
  readonly of: <Type extends TraceEvent['type']>(type: Type) => readonly Of<Type>[]
  readonly arrive: Of<'arrive'> | undefined
  readonly begin: Of<'begin'> | undefined
  readonly enter: Of<'enter'> | undefined
  readonly ret: Of<'ret'> | undefined
  readonly answer: Of<'answer'> | undefined
  readonly result: ToolResultEvent | undefined
  /** The input as known at this place of the trace. */
  readonly flagsAt: (seq: number) => Flags
}

const closed: Flags = { safe: false, readOnly: false, cancels: false }

/** Sorts a trace by calls. */
export function callFacts(trace: Trace): readonly CallFacts[] {
  const numbered = trace.events.map((event, seq) => ({ ...event, seq }))
  const discarded = numbered.flatMap((event) => (event.type === 'discarded' ? event.results : []))
  return trace.world.calls.map((plan, call) => {
    const own = numbered.filter((event) => 'call' in event && event.call === call)
    const of = <Type extends TraceEvent['type']>(type: Type): readonly Of<Type>[] =>
      own.filter((event): event is Of<Type> => event.type === type)
    const rewrites = of('rewrite')
    return {
      call,
      plan,
      of,
      arrive: of('arrive')[0],
      begin: of('begin')[0],
      enter: of('enter')[0],
      ret: of('ret')[0],
      answer: of('answer')[0],
      result: of('yield')[0]?.event ?? discarded.find(({ toolUseId }) => toolUseId === `call-${call}`),
      flagsAt: (seq) =>
        rewrites.findLast((rewrite) => rewrite.seq < seq)?.flags ??
        (plan.kind === 'bad-input' ? closed : plan.flags),
    }
  })
}
