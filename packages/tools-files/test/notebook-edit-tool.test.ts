import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createNotebookEditTool } from '@x/tools-files'
import { describe, expect, test } from 'vitest'
import { makeMemoryOperations } from './memory-operations.ts'
import { allow, makeContext, openSession, type Session } from './session.ts'

/** A notebook as Jupyter writes it: one blank of indentation, sorted keys, a line feed at the end. */
function toJupyter(cells: readonly object[], { minor = 5, more = {} } = {}): string {
  const notebook = {
    cells,
    metadata: { language_info: { name: 'julia' } },
    nbformat: 4,
    nbformat_minor: minor,
    ...more,
  }
  return `${JSON.stringify(notebook, null, 1)}\n`
}

const code = (source: unknown, more: object = {}): object => ({
  cell_type: 'code',
  execution_count: 3,
  ...more,
  metadata: { tags: ['keep'] },
  outputs: [{ name: 'stdout', output_type: 'stream', text: ['1\n'] }],
  source,
})
const markdown = (source: unknown, more: object = {}): object => ({
  cell_type: 'markdown',
  ...more,
  metadata: {},
  source,
})

async function openNotebook(content: string | Uint8Array): Promise<Session> {
  const session = await openSession()
  await writeFile(session.path('x.ipynb'), content)
  await session.read('x.ipynb')
  return session
}

const textOf = (session: Session): Promise<string> => readFile(session.path('x.ipynb'), 'utf8')

const plain = [markdown(['# T'], { id: 'top' }), code(['a\n', 'b'], { id: 'work' }), code([], { id: 'last' })]

describe('replace', () => {
  test('is the default, changes the source, and clears what a code cell put out', async () => {
    await using session = await openNotebook(toJupyter(plain))
    const { data, text } = await session.editCell('x.ipynb', 'c\nd\n', { cell_id: 'work' })
    const now = { ...code(['c\n', 'd\n'], { id: 'work' }), execution_count: null, outputs: [] }
    const updated = toJupyter([plain[0] ?? {}, now, plain[2] ?? {}])
    expect(await textOf(session)).toBe(updated)
    expect(data).toEqual({
      new_source: 'c\nd\n',
      old_source: 'a\nb',
      cell_id: 'work',
      cell_type: 'code',
      language: 'julia',
      edit_mode: 'replace',
      notebook_path: session.path('x.ipynb'),
      original_file: toJupyter(plain),
      updated_file: updated,
    })
    expect(text).toBe(`The code cell work of ${session.path('x.ipynb')} has been replaced.`)
  })

  test('leaves a cell of its kind alone, raw ones too', async () => {
    const raw = { cell_type: 'raw', id: 'r', metadata: { format: 'text/latex' }, source: ['x'] }
    await using session = await openNotebook(toJupyter([raw]))
    const { data } = await session.editCell('x.ipynb', 'y', { cell_id: 'r' })
    expect(await textOf(session)).toBe(toJupyter([{ ...raw, source: ['y'] }]))
    expect(data.cell_type).toBe('raw')
  })

  test('makes a code cell of text, with the fields that one must have, and without those that it may not', async () => {
    const cells = [markdown(['x'], { attachments: { 'a.png': {} }, id: 'm' })]
    await using session = await openNotebook(toJupyter(cells))
    await session.editCell('x.ipynb', 'y', { cell_id: 'm', cell_type: 'code' })
    const made = {
      cell_type: 'code',
      execution_count: null,
      id: 'm',
      metadata: {},
      outputs: [],
      source: ['y'],
    }
    expect(await textOf(session)).toBe(toJupyter([made]))
  })

  test('makes text of a code cell, without the fields of one', async () => {
    await using session = await openNotebook(toJupyter([code(['x'], { id: 'c' })]))
    await session.editCell('x.ipynb', '', { cell_id: 'c', cell_type: 'markdown' })
    const made = { cell_type: 'markdown', id: 'c', metadata: { tags: ['keep'] }, source: [] }
    expect(await textOf(session)).toBe(toJupyter([made]))
  })

  test('keeps the source one string where it is one', async () => {
    await using session = await openNotebook(toJupyter([markdown('a', { id: 'm' })]))
    await session.editCell('x.ipynb', 'a\n"b"\\', { cell_id: 'm' })
    expect(await textOf(session)).toBe(toJupyter([markdown('a\n"b"\\', { id: 'm' })]))
  })
})

describe('insert', () => {
  test('32. without cell_id makes the first cell', async () => {
    await using session = await openNotebook(toJupyter(plain))
    const more = { edit_mode: 'insert', cell_type: 'markdown' }
    const { data, text } = await session.editCell('x.ipynb', '# New', more)
    expect(data).toMatchObject({
      edit_mode: 'insert',
      cell_type: 'markdown',
      cell_id: expect.stringMatching(/^[\da-f]{8}$/),
    })
    expect(data).not.toHaveProperty('old_source')
    expect(text).toBe(`The markdown cell ${data.cell_id} of ${session.path('x.ipynb')} has been inserted.`)
    expect(await textOf(session)).toBe(toJupyter([markdown(['# New'], { id: data.cell_id }), ...plain]))
  })

  test('33. without cell_type is an error, and changes nothing', async () => {
    await using session = await openNotebook(toJupyter(plain))
    const wrong = session.editCell('x.ipynb', '# New', { edit_mode: 'insert', cell_id: 'top' })
    await expect(wrong).rejects.toThrow('cell_type is missing: insert needs it.')
    expect(await textOf(session)).toBe(toJupyter(plain))
  })

  test('with cell_id goes behind that cell, as an empty code cell has it', async () => {
    await using session = await openNotebook(toJupyter(plain))
    const more = { edit_mode: 'insert', cell_type: 'code', cell_id: 'last' }
    const { data } = await session.editCell('x.ipynb', 'x', more)
    const { cell_id: id } = data
    const made = { cell_type: 'code', execution_count: null, id, metadata: {}, outputs: [], source: ['x'] }
    expect(await textOf(session)).toBe(toJupyter([...plain, made]))
  })

  test.each<[string, string, string]>([
    ['as Jupyter', toJupyter([], { minor: 4 }), toJupyter([markdown(['x'])], { minor: 4 })],
    [
      'on one line',
      '{"cells":[],"nbformat":4}',
      '{"cells":[{"cell_type":"markdown","metadata":{},"source":["x"]}],"nbformat":4}',
    ],
    [
      'with tabs and CRLF',
      '{\r\n\t"cells": [ ]\r\n}',
      '{\r\n\t"cells": [\r\n\t\t{\r\n\t\t\t"cell_type": "markdown",\r\n\t\t\t"metadata": {},\r\n\t\t\t"source": [\r\n\t\t\t\t"x"\r\n\t\t\t]\r\n\t\t}\r\n\t]\r\n}',
    ],
  ])('fills a notebook without cells that is laid out %s', async (_, before, after) => {
    await using session = await openNotebook(before)
    await session.editCell('x.ipynb', 'x', { edit_mode: 'insert', cell_type: 'markdown' })
    expect(await textOf(session)).toBe(after)
  })
})

describe('delete', () => {
  test.each(['top', 'work', 'last'])('takes out the cell %s and nothing else', async (id) => {
    await using session = await openNotebook(toJupyter(plain))
    const { data, text } = await session.editCell('x.ipynb', '', { edit_mode: 'delete', cell_id: id })
    expect(await textOf(session)).toBe(toJupyter(plain.filter((cell) => !('id' in cell && cell.id === id))))
    expect(data).toMatchObject({ cell_id: id, edit_mode: 'delete', old_source: expect.any(String) })
    expect(text).toBe(`The ${data.cell_type} cell ${id} of ${session.path('x.ipynb')} has been deleted.`)
  })

  test('of the only cell leaves a notebook without cells', async () => {
    await using session = await openNotebook(toJupyter([markdown(['x'], { id: 'm' })]))
    await session.editCell('x.ipynb', '', { edit_mode: 'delete', cell_id: 'm' })
    expect(await textOf(session)).toBe(toJupyter([]))
  })
})

describe('FI-18', () => {
  test('(a) a broken notebook is an error, and stays as it is', async () => {
    await using session = await openNotebook('{"cells": [')
    const edit = session.editCell('x.ipynb', 'x', { cell_id: 'cell-0' })
    await expect(edit).rejects.toThrow('not valid JSON')
    expect(await textOf(session)).toBe('{"cells": [')
  })

  test('(b) cells without ids are found the way Read shows them, and get none where the format allows none', async () => {
    const cells = [markdown(['1']), code(['2']), code(['3']), markdown(['4'])]
    const [one = {}, , three = {}, four = {}] = cells
    // Keys out of order, a number that JavaScript would write otherwise, an indent of three, no line feed at the end.
    const lay = (list: readonly object[]): string =>
      JSON.stringify(
        { nbformat_minor: 4, nbformat: 4, zeta: 'ZETA', cells: list, metadata: { b: 1, a: 2 } },
        null,
        3,
      ).replace('"ZETA"', '1.50')
    await using session = await openNotebook(lay(cells))
    expect((await session.read('x.ipynb')).data.type).toBe('file_unchanged')

    const replaced = { ...code(['two']), execution_count: null, outputs: [] }
    await session.editCell('x.ipynb', 'two', { cell_id: 'cell-1' })
    expect(await textOf(session)).toBe(lay([one, replaced, three, four]))

    const more = { edit_mode: 'insert', cell_type: 'markdown', cell_id: 'cell-0' }
    const inserted = await session.editCell('x.ipynb', 'new', more)
    expect(inserted.data).toMatchObject({ cell_id: 'cell-1', is_renumbered: true })
    expect(inserted.text).toContain('counted anew')
    expect(await textOf(session)).toBe(lay([one, markdown(['new']), replaced, three, four]))

    const { data } = await session.read('x.ipynb')
    const third = data.type === 'notebook' ? data.file.cells.find(({ source }) => source === '3') : undefined
    await session.editCell('x.ipynb', '', { edit_mode: 'delete', cell_id: third?.id })
    expect(await textOf(session)).toBe(lay([one, markdown(['new']), replaced, four]))
  })

  test('(b) an insert or delete behind which every cell has an id renumbers nothing', async () => {
    await using session = await openNotebook(toJupyter([markdown(['1']), code(['2'], { id: 'b' })]))
    const { data } = await session.editCell('x.ipynb', '', { edit_mode: 'delete', cell_id: 'cell-0' })
    expect(data).not.toHaveProperty('is_renumbered')
  })
})

describe('refuses, and leaves the file alone:', () => {
  const cases: readonly (readonly [title: string, content: string, more: object, message: string])[] = [
    [
      'an unknown cell',
      toJupyter(plain),
      { cell_id: 'nope' },
      'no cell with the id nope. Its 3 cells: top, work, last.',
    ],
    ['a place where cells have ids', toJupyter(plain), { cell_id: 'cell-0' }, 'no cell with the id cell-0'],
    ['a place beyond the end', toJupyter([markdown('')]), { cell_id: 'cell-1' }, 'Its 1 cells: cell-0.'],
    ['any cell of none', toJupyter([]), { cell_id: 'a' }, 'Its 0 cells: none.'],
    [
      'an unknown cell to insert behind',
      toJupyter(plain),
      { cell_id: 'no', edit_mode: 'insert', cell_type: 'code' },
      'the id no',
    ],
    [
      'an id that two cells have',
      toJupyter([markdown('', { id: 'a' }), markdown('', { id: 'a' })]),
      { cell_id: 'a' },
      '2 cells',
    ],
    ['a replacement of no cell', toJupyter(plain), {}, 'cell_id is missing: replace needs it.'],
    [
      'a deletion of no cell',
      toJupyter(plain),
      { edit_mode: 'delete' },
      'cell_id is missing: delete needs it.',
    ],
    ['JSON that is no notebook', '{"worksheets":[]}', { cell_id: 'a' }, 'no notebook of format 4'],
    ['an array', '[]', { cell_id: 'a' }, 'no notebook of format 4'],
    ['an empty file', '', { cell_id: 'a' }, 'not valid JSON'],
  ]
  test.each(cases)('%s', async (...[, content, more, message]) => {
    await using session = await openNotebook(content)
    await expect(session.editCell('x.ipynb', 'new', more)).rejects.toThrow(message)
    expect(await textOf(session)).toBe(content)
    expect(await readdir(session.cwd)).toEqual(['x.ipynb'])
  })

  test('more than 20 cells are not all listed', async () => {
    await using session = await openNotebook(toJupyter(Array.from({ length: 21 }, () => markdown(''))))
    const edit = session.editCell('x.ipynb', '', { cell_id: 'a' })
    await expect(edit).rejects.toThrow(/Its 21 cells: cell-0, .*, cell-19, \.\.\.\.$/)
  })

  test('bytes that are no UTF-8', async () => {
    const bytes = Buffer.from(toJupyter([markdown(['caf\u00e9'], { id: 'm' })]), 'latin1')
    await using session = await openNotebook(bytes)
    await expect(session.editCell('x.ipynb', 'x', { cell_id: 'm' })).rejects.toThrow('not UTF-8')
    expect((await readFile(session.path('x.ipynb'))).equals(bytes)).toBe(true)
  })

  test('half a surrogate pair', async () => {
    await using session = await openNotebook(toJupyter(plain))
    await expect(session.editCell('x.ipynb', '\uD800', { cell_id: 'top' })).rejects.toThrow('cannot hold')
  })

  test('a path that is empty, has a null byte, or names no notebook', async () => {
    await using session = await openSession()
    await expect(session.editCell('', 'x', { cell_id: 'a' })).rejects.toThrow('notebook_path is empty')
    await expect(session.editCell('a\0.ipynb', 'x', { cell_id: 'a' })).rejects.toThrow(
      'notebook_path contains a null byte',
    )
    await expect(session.editCell('f.py', 'x', { cell_id: 'a' })).rejects.toThrow('Not a notebook: f.py')
  })

  test('a file that is not there, naming one that is', async () => {
    await using session = await openNotebook(toJupyter(plain))
    const edit = session.editCell('X.ipynb', 'x', { cell_id: 'top' })
    if (process.platform === 'linux') await expect(edit).rejects.toThrow(/does not exist.*x\.ipynb\?$/)
    else await edit.catch(() => {})
  })
})

describe('read before edit', () => {
  const canEdit = { flags: { allowsUnreadEdits: true } }

  test('a notebook must have been read, whole', async () => {
    await using session = await openSession()
    await writeFile(session.path('x.ipynb'), toJupyter(plain))
    const edit = (): Promise<unknown> => session.editCell('x.ipynb', 'x', { cell_id: 'top' })
    await expect(edit()).rejects.toThrow('File has not been read yet.')
    await session.read({ file_path: 'x.ipynb', limit: 2 })
    await expect(edit()).rejects.toThrow('Only a part of it was shown')
    await session.read('x.ipynb')
    await expect(edit()).resolves.toBeDefined()
  })

  test('a newer model may change an unread one where it may read it', async () => {
    const read = { ...createNotebookEditTool(), name: 'Read' }
    const options = { tools: [read], model: 'none', isNonInteractive: true, projectDir: '/' }
    await using session = await openSession({ context: { ...canEdit, options }, canUseTool: allow })
    await writeFile(session.path('x.ipynb'), toJupyter(plain))
    await expect(session.editCell('x.ipynb', 'x', { cell_id: 'top' })).resolves.toBeDefined()
  })

  test('one that changed since must be read again, for its cells may have moved', async () => {
    await using session = await openNotebook(toJupyter(plain))
    const theirs = toJupyter([...plain, markdown('mine', { id: 'm' })])
    await writeFile(session.path('x.ipynb'), theirs)
    const edit = session.editCell('x.ipynb', 'x', { cell_id: 'top' })
    await expect(edit).rejects.toThrow('File has been modified since read')
    expect(await textOf(session)).toBe(theirs)
  })

  test('what was changed counts as read for the next change, and Read shows it anew', async () => {
    await using session = await openNotebook(toJupyter(plain))
    await session.editCell('x.ipynb', 'x', { cell_id: 'top' })
    await session.editCell('x.ipynb', 'y', { cell_id: 'last' })
    const { data } = await session.read('x.ipynb')
    expect(data.type === 'notebook' && data.file.cells.map(({ source }) => source)).toEqual([
      'x',
      'a\nb',
      'y',
    ])
  })

  test('two changes at once both stand', async () => {
    await using session = await openNotebook(toJupyter(plain))
    await Promise.all(['top', 'last'].map((id) => session.editCell('x.ipynb', id, { cell_id: id })))
    const { data } = await session.read('x.ipynb')
    expect(data.type === 'notebook' && data.file.cells.map(({ source }) => source)).toEqual([
      'top',
      'a\nb',
      'last',
    ])
  })
})

test('a byte-order mark stays, and hides no cells from Read', async () => {
  const text = `\uFEFF${toJupyter([markdown('a', { id: 'm' })])}`
  await using session = await openNotebook(text)
  await session.editCell('x.ipynb', 'b', { cell_id: 'm' })
  expect(await textOf(session)).toBe(text.replace('"a"', '"b"'))
  expect((await session.read('x.ipynb')).data.type).toBe('notebook')
})

test('where a key stands twice, the last one counts, as it does for Read', async () => {
  const text = '{"cells":[], "cells":[{"cell_type":"raw","source":"a","source":"b"}]}'
  await using session = await openNotebook(text)
  const { data } = await session.editCell('x.ipynb', 'c', { cell_id: 'cell-0' })
  expect(data.old_source).toBe('b')
  expect(JSON.parse(await textOf(session))).toEqual({ cells: [{ cell_type: 'raw', source: 'c' }] })
})

test('works through other operations than those of Node, and goes through Perforce mode', async () => {
  const { operations, files } = makeMemoryOperations({
    '/far/x.ipynb': toJupyter([markdown('a', { id: 'm' })]),
  })
  const locked = {
    ...operations,
    open: async (path: string) => {
      const file = await operations.open(path)
      return { ...file, info: { ...file.info, mode: 0o444 } }
    },
  }
  await using session = await openSession({ read: { operations }, change: { operations } })
  await session.read('/far/x.ipynb')
  await session.editCell('/far/x.ipynb', 'b', { cell_id: 'm' })
  expect(files.get('/far/x.ipynb')).toBe(toJupyter([markdown('b', { id: 'm' })]))

  await using other = await openSession({
    read: { operations },
    change: { operations: locked, isPerforceMode: true },
  })
  await other.read('/far/x.ipynb')
  await expect(other.editCell('/far/x.ipynb', 'c', { cell_id: 'm' })).rejects.toThrow('p4 edit /far/x.ipynb')
})

test('hooks and permissions see the whole path', () => {
  const tool = createNotebookEditTool()
  const seen = tool.backfillInput?.({ notebook_path: 'sub/x.ipynb', new_source: 'a' }, makeContext('/far'))
  expect(seen).toEqual({ notebook_path: '/far/sub/x.ipynb', new_source: 'a' })
})
