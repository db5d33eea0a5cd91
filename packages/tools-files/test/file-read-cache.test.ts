import type { FileReadState } from '@x/contract'
import { createFileReadCache } from '@x/tools-files'
import { expect, test } from 'vitest'

const state = (sizeBytes: number): FileReadState => ({
  mtimeMs: 0,
  sizeBytes,
  source: 'read',
  isPartialView: false,
})

test('forgets the file that was not used for longest', () => {
  const cache = createFileReadCache({ maxEntries: 2 })
  cache.set('a', state(1))
  cache.set('b', state(2))
  cache.get('a')
  cache.set('c', state(3))
  expect(['a', 'b', 'c'].map((path) => cache.get(path)?.sizeBytes)).toEqual([1, undefined, 3])
})

test('replaces and deletes', () => {
  const cache = createFileReadCache({ maxEntries: 2 })
  cache.set('a', state(1))
  cache.set('b', state(2))
  cache.set('a', state(3))
  expect(['a', 'b'].map((path) => cache.get(path)?.sizeBytes)).toEqual([3, 2])
  cache.delete('a')
  expect(cache.get('a')).toBeUndefined()
})

test.each([0, 1.5, Number.NaN])('refuses %s entries', (maxEntries) => {
  expect(() => createFileReadCache({ maxEntries })).toThrow(RangeError)
})
