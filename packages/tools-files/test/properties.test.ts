import { Buffer } from 'node:buffer'
import { readFile, writeFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readLines } from '../src/read-lines.ts'
import { openSession, type Session } from './session.ts'

let session: Session
beforeAll(async () => {
  session = await openSession({ read: { maxTokens: 1_000_000 } })
})
afterAll(() => session[Symbol.asyncDispose]())

let count = 0
/** A name for each run, because what is known of one file must not meet another. */
const freshName = (): string => `f${++count}`

const lineText = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '\t', '“', '中', '🙂', '$', '&', '\r', 'é'),
  maxLength: 6,
})
const ending = fc.constantFrom('\n', '\r\n')
const fileText = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(lineText, ending), { maxLength: 12 }), lineText)
  .map(([hasMark, lines, last]) => `${hasMark ? '\uFEFF' : ''}${lines.flat().join('')}${last}`)

/** Lines as Read shows them, without numbers. */
const shownLines = (text: string): string[] =>
  text.split('\n').map((line) => line.slice(line.indexOf('\t') + 1))

test('what Read shows can be searched for, and an edit changes nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(
      fileText,
      fc.tuple(fc.nat(), fc.nat()),
      fc.string({ maxLength: 5 }),
      async (text, [first, length], added) => {
        const name = freshName()
        await writeFile(session.path(name), text)
        const { text: shown, data } = await session.read(name)
        if (data.type !== 'text' || data.file.numLines === 0) return
        const lines = shownLines(shown)
        const from = first % lines.length
        const old = lines.slice(from, from + 1 + (length % 3)).join('\n')
        const next = `${added.replaceAll(/[\r\n]/g, '')}#`
        if (old === '' || old === next) return

        await session.edit(name, old, next, { replace_all: true })

        // Split at the old text, whatever its line endings in the file; the pieces between must be as they were.
        const pattern = old
          .split('\n')
          .map((line) => RegExp.escape(line))
          .join('\\r?\\n')
        const body = text.replace(/^\uFEFF/, '')
        const mark = text.slice(0, text.length - body.length)
        const expected = mark + body.replaceAll(new RegExp(pattern, 'g'), () => next)
        expect(await readFile(session.path(name), 'utf8')).toBe(expected)
      },
    ),
    { numRuns: 250 },
  )
})

test('any bytes outside the searched ones stay as they are', async () => {
  const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array))
  await fc.assert(
    fc.asyncProperty(bytes, bytes, async (before, after) => {
      const name = freshName()
      await writeFile(session.path(name), Buffer.concat([before, Buffer.from('needle'), after]))
      const { mtimeMs, size } = await import('node:fs/promises').then(({ stat }) => stat(session.path(name)))
      const known = { mtimeMs, sizeBytes: size, source: 'read', isPartialView: false } as const
      session.context.files.set(session.path(name), known)
      const outcome = await session.edit(name, 'needle', 'x').catch((error: Error) => error)
      if (outcome instanceof Error) expect(outcome.message).toMatch(/not found|Found \d+ matches/)
      const now = await readFile(session.path(name))
      const expected = Buffer.concat([before, Buffer.from(outcome instanceof Error ? 'needle' : 'x'), after])
      expect(now).toEqual(expected)
    }),
    { numRuns: 250 },
  )
})

test('an edit and its reverse give the old bytes back', async () => {
  await fc.assert(
    fc.asyncProperty(fileText, async (text) => {
      const name = freshName()
      await writeFile(session.path(name), `${text}\nneedle\nend`)
      await session.read(name)
      const before = await readFile(session.path(name))
      await session.edit(name, 'needle\n', 'one\ntwo\n')
      await session.edit(name, 'one\ntwo\n', 'needle\n')
      expect(await readFile(session.path(name))).toEqual(before)
    }),
    { numRuns: 100 },
  )
})

test('the borders of chunks do not matter', async () => {
  const lineFeed = fc.constantFrom(Buffer.from([0x0a]), Buffer.from([0x0a, 0]), Buffer.from([0, 0x0a]))
  const content = fc.uint8Array({ maxLength: 80, max: 12 }).map((array) => Buffer.from(array))
  const borders = fc.array(fc.nat(80), { maxLength: 8 })
  const range = fc.record({
    offset: fc.integer({ min: 1, max: 6 }),
    limit: fc.integer({ min: 1, max: 6 }),
    maxBytes: fc.integer({ min: 4, max: 40 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.tuple(content, lineFeed), borders, range, async ([bytes, lineFeed], cuts, range) => {
      const whole = await readLines(cut(bytes, []), { ...range, lineFeed })
      const pieces = await readLines(cut(bytes, cuts), { ...range, lineFeed })
      expect(pieces).toEqual(whole)
    }),
    { numRuns: 1000 },
  )
})

test('pages that follow each other give the whole text', async () => {
  await fc.assert(
    fc.asyncProperty(fileText, fc.integer({ min: 1, max: 4 }), async (text, limit) => {
      const name = freshName()
      await writeFile(session.path(name), text)
      const whole = await session.read(name)
      if (whole.data.type !== 'text') return
      const lines: string[] = []
      const { numLines } = whole.data.file
      for (let offset = 1; offset <= numLines; offset += limit) {
        const page = await session.read({ file_path: name, offset, limit })
        if (page.data.type === 'text') lines.push(page.data.file.content)
      }
      expect(lines.join('\n')).toBe(whole.data.file.content)
    }),
    { numRuns: 60 },
  )
})

async function* cut(bytes: Buffer, borders: readonly number[]): AsyncGenerator<Buffer> {
  const places = [0, ...borders.map((border) => Math.min(border, bytes.length)), bytes.length].toSorted(
    (a, b) => a - b,
  )
  for (const [index, place] of places.entries())
    yield Buffer.from(bytes.subarray(place, places[index + 1] ?? bytes.length))
}

const magic = fc.constantFrom(
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from('GIF89a'),
  Buffer.from('ffd8ffe0', 'hex'),
  Buffer.from('RIFF____WEBPVP8X'),
  Buffer.from('%PDF-1.7 <</Type/Pages/Count 3>> /ObjStm stream\n'),
  Buffer.from('{"cells": [{"cell_type": "code", "source": '),
  Buffer.from([0xff, 0xfe]),
  Buffer.of(),
)

test('no content makes Read fail in a way that was not meant', async () => {
  const name = fc.constantFrom('', '.ipynb', '.pdf', '.png')
  const rest = fc.oneof(
    fc.uint8Array({ maxLength: 80 }),
    fc.json().map((json) => Buffer.from(`${json}}]}`)),
    fc.constant(Buffer.from('endstream %%EOF')),
  )
  await fc.assert(
    fc.asyncProperty(magic, rest, name, async (head, tail, extension) => {
      const path = `${freshName()}${extension}`
      await writeFile(session.path(path), Buffer.concat([head, tail]))
      const { block } = await session.read(path).catch((error: Error) => {
        // A TypeError or RangeError would be a mistake of ours.
        expect(error.constructor).toBe(Error)
        return { block: { content: error.message } }
      })
      expect(JSON.stringify(block)).not.toMatch(/\\ud[89a-f]/i)
    }),
    { numRuns: 250 },
  )
})
