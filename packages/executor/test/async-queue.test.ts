import { expect, test } from 'vitest'
import { createAsyncQueue } from '../src/index.ts'

test('values written before, while and after a reader waits come in order', async () => {
  const queue = createAsyncQueue<number>()
  queue.push(1)
  const reader = queue[Symbol.asyncIterator]()
  expect(await reader.next()).toEqual({ value: 1, done: false })
  const [second, third] = [reader.next(), reader.next()]
  queue.push(2)
  queue.push(3)
  queue.push(4)
  expect(await Promise.all([second, third])).toEqual([
    { value: 2, done: false },
    { value: 3, done: false },
  ])
  queue.end()
  expect(await reader.next()).toEqual({ value: 4, done: false })
  expect(await reader.next()).toEqual({ value: undefined, done: true })
  expect(await reader.next()).toEqual({ value: undefined, done: true })
})

test('an error comes after the values, once', async () => {
  const queue = createAsyncQueue<number>()
  queue.push(1)
  queue.fail(new Error('broken'))
  queue.push(2)
  queue.end()
  const reader = queue[Symbol.asyncIterator]()
  expect(await reader.next()).toEqual({ value: 1, done: false })
  await expect(reader.next()).rejects.toThrow('broken')
  expect(await reader.next()).toEqual({ value: undefined, done: true })
})

test('an error or the end reaches a reader that waits', async () => {
  const failing = createAsyncQueue<number>()
  const [first, second] = ((reader) => [reader.next(), reader.next()])(failing[Symbol.asyncIterator]())
  failing.fail(new Error('broken'))
  await expect(first).rejects.toThrow('broken')
  expect(await second).toEqual({ value: undefined, done: true })
  const ending = createAsyncQueue<number>()
  const end = ending[Symbol.asyncIterator]().next()
  ending.end()
  expect(await end).toEqual({ value: undefined, done: true })
})

test('it can be iterated once: a second reader would take values away from the first', () => {
  const queue = createAsyncQueue<number>()
  queue[Symbol.asyncIterator]()
  expect(() => queue[Symbol.asyncIterator]()).toThrow(
    new TypeError('an async queue can be iterated only once'),
  )
})

test('a reader that leaves early ends the queue', async () => {
  const queue = createAsyncQueue<number>()
  queue.push(1)
  queue.push(2)
  for await (const value of queue) {
    expect(value).toBe(1)
    break
  }
  queue.push(3)
})

test('a hundred thousand values take no longer each than ten', async () => {
  const queue = createAsyncQueue<number>()
  for (let value = 0; value < 100_000; value++) queue.push(value)
  queue.end()
  let sum = 0
  for await (const value of queue) sum += value
  expect(sum).toBe(4_999_950_000)
})
