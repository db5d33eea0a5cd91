import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSession, type Session } from './session.ts'

const letter = fc.constantFrom(
  'a',
  'b',
  ':',
  '-',
  '.',
  '1',
  ' ',
  '"',
  'é',
  '世',
  '😀',
  '[',
  '{',
  '*',
  '!',
  '\\',
)
const word = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(letter, { minLength: 1, maxLength }).map((letters) => letters.join(''))
const name = word(5).filter((text) => !/^\.*$|^~/.test(text))
const path = fc.oneof(
  name,
  fc.tuple(name, name).map(([folder, file]) => `D${folder}/${file}`),
)
const text = fc.array(word(6), { maxLength: 8 }).map((lines) => lines.map((line) => `${line}\n`).join(''))
const tree = fc.dictionary(path, text, { minKeys: 1, maxKeys: 6, noNullPrototype: true })

/** Each matching line as `path:number:line`. */
function searchNaively(folder: string, pattern: string): string[] {
  return listNaively(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.includes(pattern) ? [`${file}:${index + 1}:${line}`] : [])),
  )
}

function listNaively(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile())
    .map((file) => relative(folder, file))
}

async function openTree(files: Readonly<Record<string, string>>): Promise<Session> {
  return await openSession({ files })
}

const runs = { numRuns: 15 }

test('every mode finds what a naive search finds, whatever names and contents look like', async () => {
  await fc.assert(
    fc.asyncProperty(tree, word(2), async (files, literal) => {
      await using session = await openTree(files)
      const pattern = literal.replaceAll(/[\\^$.*+?()[\]{}|-]/g, '\\$&')
      const expected = searchNaively(session.cwd, literal).toSorted()
      const expectedFiles = listNaively(session.cwd).filter((file) => files[file]?.includes(literal) === true)

      const lines = await session.grep({ pattern, output_mode: 'content' })
      const paths = await session.grep({ pattern })
      const counts = await session.grep({ pattern, output_mode: 'count' })

      expect((lines.data.content ?? '').split('\n').filter(Boolean).toSorted()).toEqual(expected)
      expect(paths.data.filenames.toSorted()).toEqual(expectedFiles.toSorted())
      expect(counts.data).toMatchObject({ numMatches: expected.length, totalFiles: expectedFiles.length })
    }),
    runs,
  )
})

test('the pages of a search make up the whole', async () => {
  await fc.assert(
    fc.asyncProperty(tree, fc.integer({ min: 1, max: 7 }), fc.nat(2), async (files, head_limit, around) => {
      await using session = await openTree(files)
      const ask = { pattern: 'a', output_mode: 'content', '-C': around }
      const entries = (content = ''): string[] =>
        content.split('\n').filter((line) => line !== '' && line !== '--')

      const whole = await session.grep(ask)
      const total = whole.data.totalLines ?? 0
      const pages: string[] = []
      for (let offset = 0; offset < total; offset += head_limit) {
        pages.push(...entries((await session.grep({ ...ask, head_limit, offset })).data.content))
      }

      expect(pages).toEqual(entries(whole.data.content))
    }),
    { numRuns: 4 },
  )
})

test('Glob lists each file once, whatever it is called', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (files) => {
      await using session = await openTree(files)

      const { data } = await session.glob({ pattern: '**/*' })

      expect(data.filenames.toSorted()).toEqual(listNaively(session.cwd).toSorted())
    }),
    runs,
  )
})
