import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanText, createTextCleaner } from '../src/clean-text.ts'

const clean = (text: string): string => cleanText(Buffer.from(text))

test.each([
  ['plain text', 'a\n\tb\n', 'a\n\tb\n'],
  ['Windows line ends', 'a\r\nb\r\n', 'a\nb\n'],
  ['a line redrawn', '10%\r20%\r30%\n', '30%\n'],
  ['a line redrawn and left at its start', '10%\r20%\r', '20%'],
  ['a line redrawn and then erased', '10%\r\u001B[2K\n', '10%\n'],
  ['colours', '\u001B[1;31mred\u001B[0m\n', 'red\n'],
  ['a link and a title', '\u001B]8;;http://x\u001B\\text\u001B]8;;\u0007\u001B]0;title\u0007!', 'text!'],
  ['other sequences', '\u001B(B\u001B7\u001B=a\u001BPdata\u001B\\b', 'ab'],
  ['a title without end', 'a\u001B]0;title\n', 'a0;title\n'],
  ['an unfinished sequence', 'a\u001B[', 'a'],
  ['C1 controls', '\u009B31mred\u0085', 'red'],
  ['bells and backspaces', '|\b/\b-\u0007\n', '-\n'],
  ['a NUL', 'a\0b', 'a\uFFFDb'],
])('cleans %s', (_what, text, expected) => {
  expect(clean(text)).toBe(expected)
})

test('the pieces in which bytes come make no difference', () => {
  const token = fc.constantFrom(
    'a',
    'é',
    '你',
    '😀',
    '\n',
    '\r',
    '\r\n',
    '\b',
    '\0',
    '\u001B[2K',
    '\u001B[31m',
    '\u001B]0;t\u0007',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(token), fc.infiniteStream(fc.integer({ min: 1, max: 5 })), (tokens, sizes) => {
      const bytes = Buffer.from(tokens.join(''))
      const cleaner = createTextCleaner()
      let text = ''
      for (let at = 0; at < bytes.length; ) {
        const end = at + (sizes.next().value ?? 1)
        text += cleaner.write(bytes.subarray(at, end))
        at = end
      }
      expect(text + cleaner.end()).toBe(cleanText(bytes))
    }),
  )
})

test('no control character but tab and line feed is left, and the text is well-formed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const text = cleanText(bytes)
      expect(text.isWellFormed()).toBe(true)
      // oxlint-disable-next-line no-control-regex -- that is the promise
      expect(text).not.toMatch(/[\0-\u0008\u000B-\u001F\u007F-\u009F]/)
    }),
  )
})

test('a line without end waits no further than needed, and what is redrawn does not pile up', () => {
  const cleaner = createTextCleaner()
  const piece = Buffer.from('x'.repeat(10_000))
  let settled = ''
  for (let round = 0; round < 20; round += 1) settled += cleaner.write(piece)
  expect(settled.length).toBeGreaterThan(100_000)
  expect((settled + cleaner.end()).length).toBe(200_000)
  const redrawn = createTextCleaner()
  let text = ''
  const steps = Array.from({ length: 1000 }, (_, step) => `\u001B[2K\rstep ${step}`).join('')
  for (let round = 0; round < 200; round += 1) text += redrawn.write(Buffer.from(steps))
  expect(text + redrawn.end()).toBe('step 999')
})
