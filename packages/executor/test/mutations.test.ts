import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mayBegin, type Rules, rules } from '../src/rules.ts'
import { checkTrace } from './sim/invariants.ts'
import { simulate } from './sim/simulate.ts'
import { world } from './sim/world.ts'

/** Each rule that the semantics mark as indispensable, taken out. */
const mutations: readonly {
  readonly rule: string
  readonly breaks: RegExp
  readonly without: Partial<Rules>
}[] = [
  {
    rule: 'no overtaking: begin order is arrival order',
    breaks: /V3/,
    without: {
      pick: (queue, head, load) =>
        queue.slice(head).find((call) => call.state === 'queued' && mayBegin(rules, call, load)),
    },
  },
  {
    rule: 'an exclusive call begins only when nothing is leftover',
    breaks: /V4/,
    without: { isIdle: (load) => load.executing === 0 },
  },
  {
    rule: 'nobody runs beside the leftover of an exclusive call',
    breaks: /V4/,
    without: { mayJoin: (load) => load.executing < load.maxConcurrency && load.exclusives <= load.leftovers },
  },
  {
    rule: 'a call whose replaced input is not safe waits until it runs alone',
    breaks: /V4|V11/,
    without: { mustWait: () => false },
  },
  {
    rule: 'answered meanwhile: nothing further begins',
    breaks: /V6/,
    without: { mustStop: () => false },
  },
  {
    rule: 'a failure also cancels siblings that arrive later',
    breaks: /V8/,
    without: { isClosedToLater: () => false },
  },
  {
    rule: 'the consumer looks again before it sleeps',
    breaks: /V13/,
    without: { maySleep: () => true },
  },
]

const SEEDS = 2_000

describe('the property fails within 2,000 seeds when a rule is taken out', () => {
  test.each(mutations)('$rule', async ({ without, breaks }) => {
    const mutated: Rules = { ...rules, ...without }
    let found = ''
    const outcome = await fc.check(
      fc.asyncProperty(world, fc.scheduler(), async (plan, scheduler) => {
        const violations = checkTrace(await simulate(plan, { scheduler, rules: mutated }))
        found = violations.map(({ rule }) => rule).join()
        return violations.length === 0
      }),
      { numRuns: SEEDS, endOnFailure: true },
    )
    expect(outcome.failed).toBe(true)
    expect(found).toMatch(breaks)
  })
})
