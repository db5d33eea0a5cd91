import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Budget, createBudget } from '../src/index.ts'

describe('createBudget', () => {
  it('has no limits of its own accord', () => {
    const budget = createBudget()
    budget.spend({ tokens: 1e9, costUsd: 1e6, calls: 1e6 })
    expect(budget.exhausted()).toBeUndefined()
    expect(budget.remainingMs()).toBe(Infinity)
  })

  it.each([
    [{ maxTokens: 10 }, { tokens: 10 }, 'the budget of 10 tokens is spent'],
    [{ maxCostUsd: 0.5 }, { costUsd: 0.6 }, 'the budget of $0.5 is spent'],
    [{ maxCalls: 2 }, { calls: 2 }, 'the budget of 2 tool calls is spent'],
  ])('is used up at its limit: %j', (limits, amount, words) => {
    const budget = createBudget(limits)
    expect(budget.exhausted()).toBeUndefined()
    budget.spend(amount)
    expect(budget.exhausted()).toBe(words)
  })

  it('is used up when its time is over; the nearer end of a child and its parents counts', () => {
    let time = 0
    const now = () => time
    const root = createBudget({ maxMs: 100 }, { now })
    time = 40
    const child = createBudget({ maxMs: 200 }, { parent: root, now })
    expect([root.remainingMs(), child.remainingMs()]).toEqual([60, 60])
    time = 100
    expect(child.exhausted()).toBe('the time of 100 ms is over')
    expect(child.remainingMs()).toBe(0)
  })

  it.each([{ maxTokens: 0 }, { maxCalls: -1 }, { maxMs: Number.NaN }])('refuses %j', (limits) => {
    expect(() => createBudget(limits)).toThrow(RangeError)
  })

  it('lets children spend from all above them, by any route', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ parent: fc.nat(), amount: fc.integer({ min: 0, max: 50 }) }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 500 }),
        (steps, maxTokens) => {
          const root = createBudget({ maxTokens })
          const all: Budget[] = [root]
          let sum = 0
          for (const { parent, amount } of steps) {
            const child = createBudget({}, { parent: all[parent % all.length]! })
            all.push(child)
            child.spend({ tokens: amount })
            sum += amount
          }
          expect(root.spent.tokens).toBe(sum)
          for (const budget of all) expect(budget.exhausted() !== undefined).toBe(sum >= maxTokens)
        },
      ),
    )
  })
})
