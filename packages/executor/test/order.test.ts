import { expect, test } from 'vitest'
import { createStreamingToolExecutor } from '../src/index.ts'
import { assistant, makeOptions, makeTool, results, safe, textOf, use } from './harness.ts'

test('results come out in the order of the calls, whatever finishes first', async () => {
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const read = makeTool('Read', {
    ...safe,
    call: async ({ path }) => {
      const gate = Promise.withResolvers<void>()
      gates.set(String(path), gate)
      await gate.promise
      return { data: String(path) }
    },
  })
  const executor = createStreamingToolExecutor(makeOptions([read]))
  const blocks = ['a', 'b', 'c'].map((path) => use('Read', { path }))
  for (const block of [blocks[0]!, use('Nope'), blocks[1]!, blocks[2]!])
    executor.addTool(block, assistant(...blocks))
  await new Promise((resolve) => setImmediate(resolve))
  expect([...gates.keys()]).toEqual(['a', 'b', 'c'])
  gates.get('c')?.resolve()
  gates.get('b')?.resolve()
  gates.get('a')?.resolve()
  const answers = await results(executor.getRemainingResults())
  expect(answers.map(textOf)).toEqual([
    'a',
    '<tool_use_error>No such tool available: Nope</tool_use_error>',
    'b',
    'c',
  ])
  await executor.settled
})
