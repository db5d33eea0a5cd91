import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createAbortController } from '@x/abort'
import { expect, test } from 'vitest'
import { createStreamingToolExecutor } from '../src/index.ts'
import { assistant, makeOptions, makeTool, results, safe, use } from './harness.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test.each([
  ['a linked controller', () => createAbortController()],
  ["the platform's controller", () => new AbortController()],
])('hundreds of calls below %s leave no listener, no warning and a flat heap', async (_title, makeQuery) => {
  const warnings: unknown[] = []
  const warn = (warning: unknown): void => void warnings.push(warning)
  process.on('warning', warn)
  const query = makeQuery()
  const options = makeOptions([makeTool('Read', safe), makeTool('Edit')], { query })
  const before = getEventListeners(query.signal, 'abort').length

  async function turn(name: string, count: number): Promise<void> {
    const executor = createStreamingToolExecutor(options)
    for (let index = 0; index < count; index++) executor.addTool(use(name), assistant())
    expect(await results(executor.getRemainingResults())).toHaveLength(count)
    await executor.settled
    expect(getEventListeners(query.signal, 'abort').length).toBe(before)
  }

  for (let round = 0; round < 100; round++) await turn('Edit', 1)
  await turn('Read', 200)
  collectGarbage()
  const heap = process.memoryUsage().heapUsed
  for (let round = 0; round < 500; round++) await turn('Edit', 1)
  for (let round = 0; round < 10; round++) await turn('Read', 200)
  collectGarbage()
  expect(process.memoryUsage().heapUsed - heap).toBeLessThan(5_000_000)
  process.off('warning', warn)
  expect(warnings).toEqual([])
})

test.each([
  ['a linked controller', () => createAbortController()],
  ["the platform's controller", () => new AbortController()],
])(
  'an abort of %s with a hundred stubborn calls answers all of them in the same moment',
  async (_title, makeQuery) => {
    const query = makeQuery()
    const tools = [makeTool('Stuck', { ...safe, call: () => new Promise(() => undefined) })]
    const executor = createStreamingToolExecutor(
      makeOptions(tools, { query, maxConcurrency: 100, endGraceMs: 0 }),
    )
    for (let index = 0; index < 100; index++) executor.addTool(use('Stuck'), assistant())
    await new Promise((resolve) => setImmediate(resolve))
    query.abort()
    const answers = [...executor.getCompletedResults()].filter(({ type }) => type === 'tool-result')
    expect(answers).toHaveLength(100)
    await executor.settled
    expect(getEventListeners(query.signal, 'abort')).toEqual([])
  },
)

// A quadratic scheduler needs minutes, and the test runs out of time.
test('ten thousand calls cost no more each than a hundred, by the count of looks', async () => {
  const options = makeOptions([makeTool('Read', safe)])
  const executor = createStreamingToolExecutor(options)
  for (let index = 0; index < 10_000; index++) executor.addTool(use('Read'), assistant())
  expect(await results(executor.getRemainingResults())).toHaveLength(10_000)
})
