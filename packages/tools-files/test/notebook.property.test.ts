import { readFile, writeFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSession, type Session } from './session.ts'

let session: Session
beforeAll(async () => {
  session = await openSession({ read: { maxTokens: 1_000_000 } })
})
afterAll(() => session[Symbol.asyncDispose]())

let count = 0
/** A name for each run, because what is known of one file must not meet another. */
const freshName = (): string => `n${++count}.ipynb`

const someText = fc.string({
  unit: fc.constantFrom('a', ' ', '\n', '"', '\\', '{', '}', '[', ']', ',', ':', '\t', '中', '🙂', '\u2028'),
  maxLength: 8,
})
const sourceOf = fc.oneof(someText, fc.array(someText, { maxLength: 3 }))
const metadata = fc.dictionary(someText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 })

interface Cell {
  readonly id?: string
  readonly cell_type: string
  readonly source: string | readonly string[]
  readonly [field: string]: unknown
}

const output = fc.record({ output_type: fc.constant('stream'), name: fc.constant('stdout'), text: sourceOf })
const codeCell = fc.record(
  {
    cell_type: fc.constant('code'),
    source: sourceOf,
    execution_count: fc.option(fc.nat()),
    outputs: fc.array(output, { maxLength: 2 }),
    metadata,
    zeta: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: ['cell_type', 'source'] },
)
const textCell = fc.record(
  {
    cell_type: fc.constantFrom('markdown', 'raw'),
    source: sourceOf,
    attachments: metadata,
    metadata,
  },
  { requiredKeys: ['cell_type', 'source'] },
)

/** The members in another order. */
function rotate(cell: Cell, by: number): Cell {
  const { cell_type, source } = cell
  const entries = Object.entries(cell)
  const cut = by % entries.length
  const [first, last] = [entries.slice(cut), entries.slice(0, cut)].map((part) => Object.fromEntries(part))
  return { ...first, ...last, cell_type, source }
}

const cellsOf = (minor: number): fc.Arbitrary<readonly Cell[]> =>
  fc
    .array(
      fc
        .tuple(fc.oneof<fc.Arbitrary<Cell>[]>(codeCell, textCell), fc.nat())
        .map(([cell, by]) => rotate(cell, by)),
      { maxLength: 5 },
    )
    .map((cells) => (minor < 5 ? cells : cells.map((cell, index) => ({ ...cell, id: `id-${index}` }))))

/** The pieces of a notebook's text: what no change may touch stands in them word by word. */
interface Laid {
  readonly minor: number
  readonly cells: readonly Cell[]
  readonly head: string
  readonly cellTexts: readonly string[]
  readonly gaps: readonly string[]
  readonly tail: string
}

/** A cell as its text says it: JSON has no negative zero. */
const asWritten = (cell: Cell): Cell => JSON.parse(JSON.stringify(cell))

const blank = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r\n'), maxLength: 3 })
const indents = fc.constantFrom('', ' ', '   ', '\t')

const laidNotebook: fc.Arbitrary<Laid> = fc
  .record({
    minor: fc.constantFrom(4, 5),
    indent: indents,
    blanks: fc.array(blank, { minLength: 12, maxLength: 12 }),
  })
  .chain(({ minor, indent, blanks }) =>
    cellsOf(minor).map((drawn): Laid => {
      const cells = drawn.map(asWritten)
      const at = (index: number): string => blanks[index % blanks.length] ?? ''
      return {
        minor,
        cells,
        head: `${at(0)}{${at(1)}"nbformat": 4,"nbformat_minor":${at(2)}${minor},"x\\u0079":1.50e1,${at(3)}"cells"${at(4)}:[${at(5)}`,
        cellTexts: cells.map((cell) => JSON.stringify(cell, null, indent)),
        gaps: cells.slice(1).map((_, index) => `${at(index + 6)},${at(index + 7)}`),
        tail: `${at(8)}],"metadata":{"a"${at(9)}:"\\u00e9]}\\\\"}}${at(10)}`,
      }
    }),
  )

/** The text of some cells in a row, with what stands between them. */
function join({ cellTexts, gaps }: Laid, from: number, to: number): string {
  return cellTexts
    .slice(from, to)
    .map((text, index) => (index === 0 ? text : `${gaps[from + index - 1] ?? ''}${text}`))
    .join('')
}

const textOf = (laid: Laid): string => laid.head + join(laid, 0, laid.cells.length) + laid.tail

async function open(laid: Laid): Promise<{ readonly name: string; readonly ids: readonly string[] }> {
  const name = freshName()
  await writeFile(session.path(name), textOf(laid))
  const { data } = await session.read(name)
  if (data.type !== 'notebook') throw new Error(`no notebook: ${textOf(laid)}`)
  return { name, ids: data.file.cells.map(({ id }) => id) }
}

const readNow = (name: string): Promise<string> => readFile(session.path(name), 'utf8')
const joined = (source: unknown): unknown => (Array.isArray(source) ? source.join('') : source)

/** What the cells of a text are, with each source as one string. */
function cellsIn(text: string): readonly unknown[] {
  const { cells } = JSON.parse(text)
  return cells.map((cell: Cell) => ({ ...cell, source: joined(cell.source) }))
}

const kind = fc.constantFrom('code', 'markdown')
const change = <Type>(
  type: fc.Arbitrary<Type>,
): fc.Arbitrary<{ readonly source: string; readonly type: Type }> => fc.record({ source: someText, type })
const runs = { numRuns: 200 }

test('a replacement changes the cell that is meant and no character outside of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      laidNotebook,
      fc.nat(),
      change(fc.option(kind)),
      async (laid, pick, { source, type }) => {
        if (laid.cells.length === 0) return
        const { name, ids } = await open(laid)
        const index = pick % laid.cells.length
        const cell = laid.cells[index] ?? { cell_type: 'none', source: '' }
        const more = { cell_id: ids[index], ...(type !== null && { cell_type: type }) }
        await session.editCell(name, source, more)

        const now = await readNow(name)
        const before = laid.head + join(laid, 0, index) + (laid.gaps[index - 1] ?? '')
        const after = (laid.gaps[index] ?? '') + join(laid, index + 1, laid.cells.length) + laid.tail
        expect(now.slice(0, before.length)).toBe(before)
        expect(now.slice(now.length - after.length)).toBe(after)
        const { attachments, ...rest } = cell
        const is = type ?? cell.cell_type
        expect(cellsIn(now)[index]).toEqual({
          ...rest,
          cell_type: is,
          source,
          outputs: undefined,
          execution_count: undefined,
          ...(is === 'code' && { execution_count: null, outputs: [] }),
          ...(is !== 'code' && attachments !== undefined && { attachments }),
        })
        const own = JSON.parse(now.slice(before.length, now.length - after.length))
        expect(Array.isArray(own.source)).toBe(Array.isArray(cell.source))
        const kept = Object.keys(cell).filter((key) => key in own)
        expect(Object.keys(own).filter((key) => key in cell)).toEqual(kept)
      },
    ),
    runs,
  )
})

test('an insertion adds one cell at its place, and deleting it brings back every byte', async () => {
  await fc.assert(
    fc.asyncProperty(laidNotebook, fc.nat(), change(kind), async (laid, pick, { source, type }) => {
      const { name, ids } = await open(laid)
      const place = pick % (laid.cells.length + 1)
      const insert = { edit_mode: 'insert', cell_type: type, ...(place > 0 && { cell_id: ids[place - 1] }) }
      const { data } = await session.editCell(name, source, insert)

      const now = await readNow(name)
      const all = cellsIn(now)
      expect(all.toSpliced(place, 1)).toEqual(cellsIn(textOf(laid)))
      const isCode = type === 'code'
      expect(all[place]).toEqual({
        cell_type: type,
        metadata: {},
        source,
        ...(isCode && { execution_count: null, outputs: [] }),
        ...(laid.minor >= 5 && { id: data.cell_id }),
      })
      const before = laid.head + join(laid, 0, place)
      expect(now.startsWith(laid.cells.length === 0 ? laid.head.trimEnd() : before)).toBe(true)

      await session.editCell(name, '', { edit_mode: 'delete', cell_id: data.cell_id })
      const again = await readNow(name)
      if (laid.cells.length > 0) expect(again).toBe(textOf(laid))
      else expect(JSON.parse(again)).toEqual(JSON.parse(textOf(laid)))
    }),
    runs,
  )
})

test('a deletion takes out one cell, and a comma with what stands around it', async () => {
  await fc.assert(
    fc.asyncProperty(laidNotebook, fc.nat(), async (laid, pick) => {
      if (laid.cells.length === 0) return
      const { name, ids } = await open(laid)
      const index = pick % laid.cells.length
      await session.editCell(name, '', { edit_mode: 'delete', cell_id: ids[index] })
      const now = await readNow(name)
      const [before, after] = [join(laid, 0, index), join(laid, index + 1, laid.cells.length)]
      const gap = before === '' || after === '' ? '' : (laid.gaps[index] ?? '')
      if (laid.cells.length > 1) expect(now).toBe(laid.head + before + gap + after + laid.tail)
      expect(cellsIn(now)).toEqual(cellsIn(textOf(laid)).toSpliced(index, 1))
    }),
    runs,
  )
})
