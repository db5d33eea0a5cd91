import * as fc from 'fast-check'

/** What a call declares, as part of its input: so a rewritten input changes it. */
export interface Flags {
  readonly safe: boolean
  readonly readOnly: boolean
  readonly cancels: boolean
}

/** One call and the behaviour of everything around it. */
export interface CallPlan {
  readonly kind: 'known' | 'cancellable' | 'unknown' | 'bad-input'
  readonly flags: Flags
  /** Milliseconds after the call before. */
  readonly gapMs: number
  readonly pre: {
    readonly delayMs: number
    readonly outcome: 'none' | 'deny' | 'throw'
    readonly rewrite: Flags | undefined
  }
  readonly authorize: {
    readonly delayMs: number
    readonly outcome: 'allow' | 'deny' | 'reject' | 'throw'
    readonly rewrite: Flags | undefined
  }
  readonly call: {
    /** Never: it settles only with its signal, or not at all. */
    readonly delayMs: number | 'never'
    readonly outcome: 'ok' | 'throw' | 'error' | 'abort-self' | 'throw-at-once' | 'large'
    readonly obeysSignal: boolean
    readonly progress: number
    readonly modifies: boolean
  }
  readonly postMs: number
  readonly storeMs: number
}

/** What happens to the executor from outside. */
export interface Blow {
  readonly atMs: number
  readonly kind: 'abort' | 'interrupt' | 'discard' | 'cancel-queued'
}

/** Everything a run is made of. */
export interface World {
  readonly calls: readonly CallPlan[]
  readonly blows: readonly Blow[]
  readonly maxConcurrency: number
  readonly siblingPolicy: 'effects' | 'all' | 'none'
  readonly graceMs: number
  readonly afterMs: number | undefined
  readonly consumerMs: number
  readonly polls: boolean
}

const flags: fc.Arbitrary<Flags> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ safe: true, readOnly: true, cancels: false }) },
  { weight: 2, arbitrary: fc.constant({ safe: false, readOnly: false, cancels: true }) },
  { weight: 2, arbitrary: fc.record({ safe: fc.boolean(), readOnly: fc.boolean(), cancels: fc.boolean() }) },
)

const rewrite = fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: flags })

const delay = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 12 }) },
)

function mostly<Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom(usual, ...others) },
  )
}

const callPlan: fc.Arbitrary<CallPlan> = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constant('known' as const) },
    { weight: 4, arbitrary: fc.constant('cancellable' as const) },
    { weight: 1, arbitrary: fc.constantFrom('unknown' as const, 'bad-input' as const) },
  ),
  flags,
  gapMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10 })),
  pre: fc.record({
    delayMs: delay,
    outcome: mostly<CallPlan['pre']['outcome']>('none', 'deny', 'throw'),
    rewrite,
  }),
  authorize: fc.record({
    delayMs: delay,
    outcome: mostly<CallPlan['authorize']['outcome']>('allow', 'allow', 'deny', 'reject', 'throw'),
    rewrite,
  }),
  call: fc.record({
    delayMs: fc.oneof(
      { weight: 6, arbitrary: delay },
      { weight: 1, arbitrary: fc.constant('never' as const) },
    ),
    outcome: fc.oneof(
      { weight: 3, arbitrary: fc.constant('ok' as const) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          'throw' as const,
          'error' as const,
          'abort-self' as const,
          'throw-at-once' as const,
          'large' as const,
        ),
      },
    ),
    obeysSignal: fc.boolean(),
    progress: fc.integer({ min: 0, max: 2 }),
    modifies: fc.boolean(),
  }),
  postMs: delay,
  storeMs: delay,
})

const blow: fc.Arbitrary<Blow> = fc.record({
  atMs: fc.integer({ min: 0, max: 50 }),
  kind: fc.constantFrom('abort', 'interrupt', 'interrupt', 'interrupt', 'discard', 'cancel-queued'),
})

const anyWorld: fc.Arbitrary<World> = fc.record({
  calls: fc.array(callPlan, { minLength: 1, maxLength: 7, size: 'max' }),
  blows: fc.oneof(fc.constant([]), fc.array(blow, { minLength: 1, maxLength: 3, size: 'max' })),
  maxConcurrency: fc.integer({ min: 1, max: 4 }),
  siblingPolicy: fc.constantFrom('effects', 'effects', 'all', 'none'),
  graceMs: fc.constantFrom(0, 20, 100, 100),
  afterMs: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 }) },
  ),
  consumerMs: fc.constantFrom(0, 0, 5),
  polls: fc.boolean(),
})

/** A world whose tools are slow to obey, so that calls that were answered live on beside others. */
const stubbornWorld: fc.Arbitrary<World> = fc
  .tuple(anyWorld, fc.integer({ min: 5, max: 40 }))
  .map(([world, atMs]) => ({
    ...world,
    graceMs: 100,
    blows: [{ atMs, kind: 'interrupt' }],
    calls: world.calls.map((plan) => ({
      ...plan,
      pre: { ...plan.pre, delayMs: 0 },
      call: { ...plan.call, obeysSignal: false },
    })),
  }))

/** Any world, the stubborn ones more often than chance would have them. */
export const world: fc.Arbitrary<World> = fc.oneof(
  { weight: 3, arbitrary: anyWorld },
  { weight: 2, arbitrary: stubbornWorld },
)
