import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkTrace } from './sim/invariants.ts'
import { simulate } from './sim/simulate.ts'
import type { Trace } from './sim/trace.ts'
import { world } from './sim/world.ts'

const FACTOR = Number(process.env['FC_RUNS'] ?? 1)

/** `FC_RUNS=10` runs ten times as many. */
function parameters(runs: number): { readonly numRuns: number } {
  return { numRuns: runs * FACTOR }
}

test('every schedule, failure, abort, interruption and withdrawal keeps V1 to V18', async () => {
  await fc.assert(
    fc.asyncProperty(world, fc.scheduler(), async (plan, scheduler) => {
      expect(checkTrace(await simulate(plan, { scheduler }))).toEqual([])
    }),
    parameters(2_000),
  )
}, 600_000)

test('they hold when everything of a moment happens before any promise goes on', async () => {
  // Whether a call failed before it was cancelled cannot be told from outside then.
  const untold = new Set(['V8', 'V12'])
  await fc.assert(
    fc.asyncProperty(world, fc.scheduler(), async (plan, scheduler) => {
      const violations = checkTrace(await simulate(plan, { scheduler, isDense: true }))
      expect(violations.filter(({ rule }) => !untold.has(rule))).toEqual([])
    }),
    parameters(1_000),
  )
}, 600_000)

test('both engines give the same answers and begin in the same order when all calls are known (V17)', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (plan) => {
      const calls = plan.calls.map((call) => ({ ...call, gapMs: 0 }))
      const streaming = await simulate({ ...plan, calls, polls: false })
      const batch = await simulate({ ...plan, calls, polls: false }, { isBatch: true })
      expect(outcome(batch)).toEqual(outcome(streaming))
      expect(checkTrace(batch).filter(({ rule }) => rule !== 'V11')).toEqual([])
    }),
    parameters(700),
  )
}, 600_000)

/** What the two engines have to agree on. */
function outcome({ events }: Trace): unknown {
  return {
    begins: events.flatMap((event) => (event.type === 'begin' ? event.call : [])),
    answers: events
      .flatMap((event) => (event.type === 'answer' ? `${event.call} ${event.cause}` : []))
      .toSorted(),
    results: events.flatMap((event) => {
      if (event.type === 'discarded') return event.results.map(({ result }) => result)
      return event.type === 'yield' ? event.event.result : []
    }),
  }
}
