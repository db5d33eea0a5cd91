import { Buffer } from 'node:buffer'
import { assert, constantFrom, pre, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { findMatches } from '../src/find-matches.ts'
import { utf8 } from '../src/text-codec.ts'

const textOf = (...characters: string[]) => string({ unit: constantFrom(...characters), maxLength: 40 })

test('finds what an expression with an optional carriage return before each line feed finds', () => {
  assert(
    property(textOf('a', 'b', '\r', '\n', '\r\n'), textOf('a', 'b', '\n'), (content, text) => {
      pre(text !== '')
      const expected = [...content.matchAll(new RegExp(text.replaceAll('\n', '\r?\n'), 'g'))]
      const found = findMatches(Buffer.from(content), text, utf8) ?? []
      expect(found.map(({ start, end }) => [start, end])).toEqual(
        expected.map(({ 0: { length }, index }) => [index, index + length]),
      )
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['a\n', 'LF'],
  ['a\r\n', 'CRLF'],
])('many equal lines are searched for many equal lines before the test runs out of time: %j', (line) => {
  const bytes = Buffer.from(line.repeat(1_000_000))
  expect(findMatches(bytes, `${'a\n'.repeat(100_000)}b`, utf8)).toEqual([])
  expect(findMatches(bytes, `${'a\n'.repeat(50_000)}b\n${'a\n'.repeat(50_000)}`, utf8)).toEqual([])
  expect(findMatches(bytes, 'a\n'.repeat(100_000), utf8)).toHaveLength(10)
})
