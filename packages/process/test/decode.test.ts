import { createOutputDecoder } from '@x/process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

const cutsOf = (length: number): fc.Arbitrary<number[]> =>
  fc.array(fc.nat(length), { maxLength: 10 }).map((cuts) => [0, ...cuts.sort((a, b) => a - b), length])

test('gives the same text wherever the bytes are cut', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 50 })
  const anyCase = anyText.chain((text) => cutsOf(Buffer.byteLength(text)).map((cuts) => ({ text, cuts })))
  fc.assert(
    fc.property(anyCase, ({ text, cuts }) => {
      const bytes = Buffer.from(text)
      const decoder = createOutputDecoder()
      const pieces = cuts.map((cut, index) => decoder.write(bytes.subarray(cuts[index - 1] ?? 0, cut)))
      for (const piece of pieces) expect(piece.isWellFormed()).toBe(true)
      expect(pieces.join('') + decoder.end()).toBe(text)
    }),
  )
})

test('is well-formed for any bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 5 }), { maxLength: 8 }), (pieces) => {
      const decoder = createOutputDecoder()
      for (const piece of pieces) expect(decoder.write(piece).isWellFormed()).toBe(true)
      expect(decoder.end().isWellFormed()).toBe(true)
    }),
  )
})

test('keeps a byte order mark: what was written is shown', () => {
  expect(createOutputDecoder().write(Buffer.from('\uFEFFa'))).toBe('\uFEFFa')
})

test('shows a character that was never finished as a replacement', () => {
  const decoder = createOutputDecoder()
  expect(decoder.write(Uint8Array.of(0x61, 0xe4, 0xbd))).toBe('a')
  expect(decoder.end()).toBe('\uFFFD')
})
