import { expect, test } from 'vitest'
import { safe, slowTool, stage, textOf, use } from './harness.ts'

test('onReady is told of every event, and one that throws does not stop the calls', async () => {
  let told = 0
  const { add, play } = stage((clock, log) => [slowTool('Read', { clock, log }, safe)], {
    onReady() {
      told += 1
      throw new Error('no')
    },
  })
  add(use('Read', { name: 'A', ms: 50 }), use('Read', { name: 'B', ms: 30 }))
  const answers = await play()
  expect(answers.map(textOf)).toEqual(['A done', 'B done'])
  // Two starts, two ends, and at least one result that leaves.
  expect(told).toBeGreaterThanOrEqual(5)
})
