import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countLines } from '../src/count-lines.ts'

const count = (before: string, after: string): readonly [number, number] => {
  const { insertions, deletions, isBinary } = countLines(Buffer.from(before), Buffer.from(after))
  expect(isBinary).toBe(false)
  return [insertions, deletions]
}

test.each([
  ['', '', 0, 0],
  ['', 'a\n', 1, 0],
  ['a\nb\n', '', 0, 2],
  ['a\nb', 'a\nb\n', 1, 1],
  ['a\r\nb\r\n', 'a\nb\r\n', 1, 1],
  ['a\nb\nc\n', 'a\nx\nc\n', 1, 1],
  ['a\nb\nc\n', 'c\na\nb\n', 1, 1],
  ['\n\n\n', '\n\n', 0, 1],
])('from %j to %j %i lines come and %i go', (before, after, ...expected) => {
  expect(count(before, after)).toEqual(expected)
})

const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n'), { maxLength: 12 })

test('the counts are the smallest there are', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const common = longestCommon(before, after)
      expect(count(before.join(''), after.join(''))).toEqual([after.length - common, before.length - common])
    }),
    { numRuns: 1000 },
  )
})

/** The textbook table, slow and plain. */
function longestCommon(left: readonly string[], right: readonly string[]): number {
  const table = [...left, ''].map(() => [...right, ''].map(() => 0))
  for (const [row, line] of left.entries()) {
    for (const [column, other] of right.entries()) {
      const best = Math.max(table[row]![column + 1]!, table[row + 1]![column]!)
      table[row + 1]![column + 1] = line === other ? table[row]![column]! + 1 : best
    }
  }
  return table[left.length]![right.length]!
}

test('more changes than are searched for are counted all the same, and the counts fit the lengths', () => {
  const before = Array.from({ length: 5000 }, (_, index) => `old ${index}\n`)
  const after = Array.from({ length: 6000 }, (_, index) => `new ${index}\n`)
  expect(count(before.join(''), after.join(''))).toEqual([6000, 5000])
  expect(count('', after.join(''))).toEqual([6000, 0])
  expect(count(before.join(''), before.toReversed().join(''))).toEqual([0, 0])
})

test('bytes that are no text in any encoding differ by lines; a zero byte means that there are none', () => {
  const [latin, other] = [Buffer.from([0xe9, 0x0a]), Buffer.from([0xe8, 0x0a])]
  expect(countLines(latin, other)).toEqual({ insertions: 1, deletions: 1, isBinary: false })
  const binary = { insertions: 0, deletions: 0, isBinary: true }
  expect(countLines(latin, Buffer.from([0x0a, 0]))).toEqual(binary)
  expect(countLines(Buffer.from([0]), latin)).toEqual(binary)
})
