import { createHooks, type HookOutput, type HookResult } from '@x/hooks'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bash } from './helpers.ts'

type Answer = HookOutput<'PreToolUse'>

const text = fc.string({ maxLength: 8 })
const decision = fc.constantFrom('allow', 'ask', 'defer', 'deny')
const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.constant({}),
  fc.record(
    {
      permissionDecision: decision,
      permissionDecisionReason: text,
      updatedInput: fc.record({ command: text }),
      additionalContext: text,
      systemMessage: text,
      continue: fc.boolean(),
      stopReason: text,
      decision: fc.constantFrom('approve', 'block'),
      reason: text,
    },
    { requiredKeys: [] },
  ),
)

async function runInOrder(answers: readonly Answer[], finishing: readonly number[]): Promise<HookResult> {
  const hooks = createHooks({})
  const gates = answers.map(() => Promise.withResolvers<void>())
  for (const [index, one] of answers.entries()) {
    hooks.on('PreToolUse', { name: String(index) }, async () => {
      await gates[index]?.promise
      return one
    })
  }
  const running = hooks.run('PreToolUse', bash('ls'))
  for (const index of finishing) {
    gates[index]?.resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return running
}

function withoutTimes({ handlers, ...result }: HookResult): object {
  return { ...result, handlers: handlers.map(({ label, outcome, error }) => ({ label, outcome, error })) }
}

const answersAndOrders = fc.array(answer, { minLength: 1, maxLength: 6 }).chain((answers) => {
  const indexes = answers.map((_, index) => index)
  const order = fc.shuffledSubarray(indexes, { minLength: indexes.length })
  return fc.tuple(fc.constant(answers), order, order)
})

test('whichever finishes first, the outcome is one', async () => {
  await fc.assert(
    fc.asyncProperty(answersAndOrders, async ([answers, first, second]) => {
      const results = [await runInOrder(answers, first), await runInOrder(answers, second)]
      expect(withoutTimes(results[0]!)).toEqual(withoutTimes(results[1]!))
    }),
    { numRuns: 150 },
  )
})

test('no answer, in any number or order, turns a deny into anything', async () => {
  const denial = fc.constantFrom<Answer>(
    { permissionDecision: 'deny' },
    { decision: 'block', reason: 'r' },
    { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { maxLength: 6 }), denial, fc.nat(), async (others, deny, place) => {
      const answers = others.toSpliced(place % (others.length + 1), 0, deny)
      const result = await runInOrder(answers, answers.map((_, index) => index).toReversed())
      expect(result.outcome).toBe('deny')
      expect(result.updatedInput).toBeUndefined()
    }),
    { numRuns: 150 },
  )
})

test('an outcome is never looser than the strictest answer', async () => {
  const order = ['none', 'allow', 'ask', 'defer', 'deny']
  await fc.assert(
    fc.asyncProperty(fc.array(decision, { minLength: 1, maxLength: 6 }), async (decisions) => {
      const answers = decisions.map((permissionDecision): Answer => ({ permissionDecision }))
      const { outcome } = await runInOrder(
        answers,
        answers.map((_, index) => index),
      )
      expect(order.indexOf(outcome)).toBe(Math.max(...decisions.map((one) => order.indexOf(one))))
    }),
    { numRuns: 100 },
  )
})
