import { expect, it } from 'vitest'
import { createAsyncQueue, mergeGenerators } from '../src/index.ts'

it('passes on an error although the other generator ends in the same moment', async () => {
  const queue = createAsyncQueue<number>()
  const failing = (async function* () {
    try {
      yield 1
      throw new Error('broken')
    } finally {
      queue.end()
    }
  })()
  const seen: number[] = []
  const reading = (async () => {
    for await (const value of mergeGenerators([failing, queue], 2)) seen.push(value)
  })()
  await expect(reading).rejects.toThrow('broken')
  expect(seen).toEqual([1])
})
