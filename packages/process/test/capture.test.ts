import { createCapture } from '@x/process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

const pushAll = (maxBytes: number, pieces: readonly Uint8Array[]): ReturnType<typeof createCapture> => {
  const capture = createCapture(maxBytes)
  for (const piece of pieces) capture.push(piece)
  return capture
}

test('is whole as long as it fits, in whatever pieces it comes', () => {
  const anyPieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 })
  fc.assert(
    fc.property(anyPieces, fc.nat(5), (pieces, spare) => {
      const bytes = Buffer.concat(pieces)
      const read = pushAll(bytes.length + spare, pieces).read()
      expect(read).toEqual({ text: bytes.toString(), totalBytes: bytes.length, omittedBytes: 0 })
    }),
  )
})

test('keeps both ends, whole characters and the exact number of bytes left out', () => {
  const anyPieces = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(anyPieces, fc.nat(60), (pieces, maxBytes) => {
      const text = pieces.join('')
      const totalBytes = Buffer.byteLength(text)
      fc.pre(totalBytes > maxBytes)
      const read = pushAll(
        maxBytes,
        pieces.map((piece) => Buffer.from(piece)),
      ).read()
      const gap = `\n[... ${read.omittedBytes} bytes left out ...]\n`
      const [head = '', tail = ''] = read.text.split(gap)
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
      expect(Buffer.byteLength(head + tail)).toBe(totalBytes - read.omittedBytes)
      // At most three bytes at each side of the gap belong to a character that was cut.
      expect(totalBytes - read.omittedBytes).toBeGreaterThanOrEqual(maxBytes - 6)
      expect(totalBytes - read.omittedBytes).toBeLessThanOrEqual(maxBytes)
    }),
  )
})

test('keeps nothing when nothing may be kept', () => {
  const read = pushAll(0, [Buffer.from('abc')]).read()
  expect(read).toMatchObject({ totalBytes: 3, omittedBytes: 3 })
})

test('may be read between the pieces', () => {
  const capture = createCapture(4)
  capture.push(Buffer.from('ab'))
  expect(capture.read().text).toBe('ab')
  capture.push(Buffer.from('cdef'))
  expect(capture.read().text).toBe('ab\n[... 2 bytes left out ...]\nef')
})

test('does not hold on to the pieces: they may be used again', () => {
  const capture = createCapture(10)
  const piece = Buffer.from('abc')
  capture.push(piece)
  piece.fill('x')
  expect(capture.read().text).toBe('abc')
})
