import { expect, test } from 'vitest'
import { createAsyncQueue, mergeGenerators } from '../src/index.ts'
import { VirtualClock } from './sim/virtual-clock.ts'

async function* count(name: string, to: number, log: string[] = []): AsyncGenerator<string> {
  log.push(`${name} starts`)
  try {
    for (let step = 1; step <= to; step++) yield `${name}${step}`
  } finally {
    log.push(`${name} ends`)
  }
}

test('starts as many as the cap allows, and the next as soon as one ends', async () => {
  const log: string[] = []
  const values = []
  for await (const value of mergeGenerators(
    [count('a', 1, log), count('b', 5, log), count('c', 1, log)],
    2,
  )) {
    values.push(value)
  }
  expect(values.toSorted()).toEqual(['a1', 'b1', 'b2', 'b3', 'b4', 'b5', 'c1'])
  expect(log.indexOf('a ends')).toBeLessThan(log.indexOf('c starts'))
  expect(log.indexOf('c starts')).toBeLessThan(log.indexOf('b ends'))
})

test('passes on what comes first', async () => {
  const clock = new VirtualClock()
  async function* late(name: string, ms: number): AsyncGenerator<string> {
    await clock.sleep(ms)
    yield name
  }
  const values = Array.fromAsync(mergeGenerators([late('slow', 20), late('quick', 10)], Infinity))
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setImmediate(resolve))
    for (const fire of clock.advance()) fire()
  }
  expect(await values).toEqual(['quick', 'slow'])
})

test('an error closes all that were started and starts no more', async () => {
  const log: string[] = []
  async function* broken(): AsyncGenerator<string> {
    yield 'x'
    throw new Error('broken')
  }
  const merged = mergeGenerators([count('a', 100, log), broken(), count('c', 1, log)], 2)
  await expect(Array.fromAsync(merged)).rejects.toThrow('broken')
  await new Promise((resolve) => setImmediate(resolve))
  expect(log).toEqual(['a starts', 'a ends'])
})

test('an error is not lost when the other generators end in the same moment', async () => {
  const queue = createAsyncQueue<number>()
  async function* failing(): AsyncGenerator<number> {
    try {
      yield 1
      throw new Error('broken')
    } finally {
      queue.end()
    }
  }
  const seen: number[] = []
  const reading = async (): Promise<void> => {
    for await (const value of mergeGenerators([failing(), queue], 2)) seen.push(value)
  }
  await expect(reading()).rejects.toThrow('broken')
  expect(seen).toEqual([1])
})

test('leaving early closes all, and does not wait for one that never settles', async () => {
  const log: string[] = []
  async function* stuck(): AsyncGenerator<string> {
    await new Promise(() => undefined)
    yield 'never'
  }
  for await (const value of mergeGenerators([count('a', 3, log), stuck()], 2)) {
    expect(value).toBe('a1')
    break
  }
  await new Promise((resolve) => setImmediate(resolve))
  expect(log).toEqual(['a starts', 'a ends'])
})

test('nothing to merge is nothing', async () => {
  expect(await Array.fromAsync(mergeGenerators([], 3))).toEqual([])
})

test.each([0, -1, 1.5, Number.NaN])('a cap of %s is a RangeError', (cap) => {
  expect(() => mergeGenerators([], cap)).toThrow(RangeError)
})
