import { Buffer } from 'node:buffer'
import { readFile, stat, utimes, writeFile } from 'node:fs/promises'
import type { FileReadState } from '@x/contract'
import { createReadTool } from '@x/tools-files'
import { describe, expect, test } from 'vitest'
import { allow, deny, openSession, type Session } from './session.ts'

const NOT_READ = 'File has not been read yet. Read it first before writing to it.'
const CHANGED =
  'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.'

/** Writes the file, reads it, edits it and gives back its bytes. */
async function editOnce(content: string | Buffer, ...change: [string, string, object?]): Promise<Buffer> {
  await using session = await openSession()
  await writeFile(session.path('f'), content)
  await session.read('f')
  await session.edit('f', ...change)
  return await readFile(session.path('f'))
}

async function openWith(content: string, settings = {}): Promise<Session> {
  const session = await openSession(settings)
  await writeFile(session.path('f'), content)
  return session
}

describe('only the bytes asked for differ', () => {
  const table: [string, string, [string, string, object?], string][] = [
    ['a CRLF file keeps CRLF', 'a\r\nb\r\nc\r\n', ['b\nc', 'b2\nc2'], 'a\r\nb2\r\nc2\r\n'],
    ['lines outside keep their mixed endings', 'a\r\nb\nc\r\nd\n', ['b', 'B'], 'a\r\nB\nc\r\nd\n'],
    ['lines inside keep their mixed endings', 'a\r\nb\nc\r\nd\n', ['a\nb\nc', 'A\nB\nC'], 'A\r\nB\nC\r\nd\n'],
    ['a new line takes the ending of its neighbours', 'a\r\nb\r\n', ['b', 'b\nc'], 'a\r\nb\r\nc\r\n'],
    ['so it does at the end without a line feed', 'a\r\nb', ['b', 'b\nc'], 'a\r\nb\r\nc'],
    ['a line taken out takes its ending along', 'a\r\nb\r\nc\r\n', ['b\n', ''], 'a\r\nc\r\n'],
    ['a lone line feed as search text', 'a\r\n\r\nb', ['\n\n', '\n'], 'a\r\nb'],
    ['CRLF sent for what is LF', 'a\nb\nc\n', ['a\r\nb', 'A\r\nB'], 'A\nB\nc\n'],
    ['a CRLF that is spelled out is written', 'a\nb\n', ['a', 'a\r\n'], 'a\r\n\nb\n'],
    [
      'no pattern is read out of the new text',
      'log("done");',
      ['log("done");', 'log("$& ok $1");'],
      'log("$& ok $1");',
    ],
    ['no pattern is read out of the old text', 'a.c abc', ['a.c', 'x'], 'x abc'],
    [
      'a look-alike does not count',
      'g = "hi"\ng = “hi”\n',
      ['g = "hi"', 'g = "hello"'],
      'g = "hello"\ng = “hi”\n',
    ],
    ['curly quotes stay curly', '“a” ‘b’ — c d ｆ\n', ['“a”', '“aa”'], '“aa” ‘b’ — c d ｆ\n'],
    ['trailing blanks stay', 'a  \nb\t\n', ['b', 'c'], 'a  \nc\t\n'],
    ['every match with replace_all', 'a b a\na\n', ['a', 'cc', { replace_all: true }], 'cc b cc\ncc\n'],
    [
      'a carriage return belongs to one match only',
      '\r\n\r\n\r\r\na',
      ['\n\r', '#', { replace_all: true }],
      '##\r\na',
    ],
    ['matches do not overlap', 'aaaa', ['aa', 'a', { replace_all: true }], 'aa'],
    ['blanks with replace_all', 'a b c', [' ', '-', { replace_all: true }], 'a-b-c'],
    ['the new text may contain the old', 'aa', ['a', 'aba', { replace_all: true }], 'abaaba'],
    ['a mark at the beginning stays', '\uFEFFhello\n中文\n', ['hello', 'hello2'], '\uFEFFhello2\n中文\n'],
    ['text beyond the basic plane', '🙂 ok 🙃', ['🙃', '🎉🎉'], '🙂 ok 🎉🎉'],
  ]
  test.each(table)('%s', async (...[, content, change, expected]) => {
    expect((await editOnce(content, ...change)).toString()).toBe(expected)
  })

  test('a Latin-1 byte elsewhere stays one byte', async () => {
    const bytes = await editOnce(Buffer.from('// café\nconst a = 1;\n', 'latin1'), 'a = 1', 'a = 2')
    expect(bytes).toEqual(Buffer.from('// café\nconst a = 2;\n', 'latin1'))
  })
})

describe('a failed search changes nothing', () => {
  test.each([
    ['no match', 'f( x )\n', 'f(x)', 'String to replace not found in file.\nString: f(x)'],
    ['one blank too many', '    x = 1\n', '    x  =  1', 'String to replace not found in file.'],
    ['two matches', 'a\na\n', 'a', 'Found 2 matches of the string to replace, but replace_all is false.'],
    ['the new text equals the old', 'a', 'b', 'No changes to make'],
    ['an empty search text', 'a', '', 'old_string is empty'],
  ])('%s', async (...[, content, old, expected]) => {
    await using session = await openWith(content)
    await session.read('f')
    await expect(session.edit('f', old, 'b')).rejects.toThrow(expected)
    expect(await readFile(session.path('f'), 'utf8')).toBe(content)
  })
})

describe('an empty search text', () => {
  test('makes a missing file and its folders, or fills an empty one', async () => {
    await using session = await openWith('')
    const made = await session.edit('sub/new', '', 'x\n')
    expect(made.text).toBe(`The file ${session.path('sub/new')} has been written.`)
    await session.read('f')
    await session.edit('f', '', 'x')
    expect(made.data).toMatchObject({ originalFile: '', structuredPatch: [{ oldLines: 0, lines: ['+x'] }] })
    expect(await readFile(session.path('sub/new'), 'utf8')).toBe('x\n')
    expect(await readFile(session.path('f'), 'utf8')).toBe('x')
  })

  test('keeps the mark of a file that holds nothing else', async () => {
    expect(await editOnce('\uFEFF', '', 'x')).toEqual(Buffer.from('\uFEFFx'))
  })
})

test('a search text for a missing file is an error that names the working folder', async () => {
  await using session = await openSession()
  await expect(session.edit('f', 'a', 'b')).rejects.toThrow(
    `File does not exist. Note: your current working directory is ${session.cwd}.`,
  )
})

describe('a file must have been read', () => {
  test('whole, for a strict model', async () => {
    await using session = await openWith('a\nb\n')
    await expect(session.edit('f', 'a', 'b')).rejects.toThrow(NOT_READ)
    await session.read({ file_path: 'f', limit: 1 })
    await expect(session.edit('f', 'a', 'b')).rejects.toThrow(NOT_READ)
  })

  test('or be readable without a question, for a newer one', async () => {
    const context = { flags: { allowsUnreadEdits: true } }
    for (const [canUseTool, tools, works] of [
      [allow, [createReadTool()], true],
      [deny, [createReadTool()], false],
      [allow, [], false],
    ] as const) {
      await using session = await openWith('a\n', { context, canUseTool })
      Object.assign(session.context.options, { tools })
      const outcome = await session.edit('f', 'a', 'b').catch((error: Error) => error.message)
      expect(typeof outcome === 'object').toBe(works)
    }
  })

  test('a partial view counts for no model', async () => {
    await using session = await openWith('a\nb\n', {
      context: { flags: { allowsUnreadEdits: true } },
      canUseTool: allow,
    })
    await session.read({ file_path: 'f', limit: 1 })
    await expect(session.edit('f', 'a', 'b')).rejects.toThrow(NOT_READ)
  })

  test('a read by the shell counts, a partial one does not', async () => {
    await using session = await openWith('a\n')
    const { mtimeMs, size } = await stat(session.path('f'))
    const known = { mtimeMs, sizeBytes: size, source: 'shell' } as const
    session.context.files.set(session.path('f'), { ...known, isPartialView: true })
    await expect(session.edit('f', 'a', 'b')).rejects.toThrow(NOT_READ)
    session.context.files.set(session.path('f'), { ...known, isPartialView: false })
    await expect(session.edit('f', 'a', 'b')).resolves.toBeDefined()
  })

  test('own edits and writes count: read, edit, edit, write', async () => {
    await using session = await openWith('a\n')
    await session.read('f')
    await session.edit('f', 'a', 'b')
    await session.edit('f', 'b', 'c')
    await session.write('f', 'd\n')
    expect(await readFile(session.path('f'), 'utf8')).toBe('d\n')
  })
})

describe('a file changed by somebody else since it was read', () => {
  test('is edited where the text still stands once, and the answer says so', async () => {
    await using session = await openWith('a\nb\n')
    await session.read('f')
    await writeFile(session.path('f'), 'a\nb\nmore\n')
    const { data, text } = await session.edit('f', 'a', 'A')
    expect(data.hadOtherChanges).toBe(true)
    expect(text).toContain('other changes')
    expect(await readFile(session.path('f'), 'utf8')).toBe('A\nb\nmore\n')
  })

  test.each(['gone\n', 'a\na\n'])('must be read again where it is %j', async (content) => {
    await using session = await openWith('a\n')
    await session.read('f')
    await writeFile(session.path('f'), content)
    await expect(session.edit('f', 'a', 'A')).rejects.toThrow(CHANGED)
  })

  test('was only touched: the content counts', async () => {
    await using session = await openWith('a\na\n')
    await session.read('f')
    await utimes(session.path('f'), 1, 1)
    await expect(session.edit('f', 'a', 'A')).rejects.toThrow('Found 2 matches')
    await expect(session.write('f', 'b')).resolves.toBeDefined()
  })
})

test('two edits in one message both arrive', async () => {
  const numbers = Array.from({ length: 100 }, (_, index) => `${index + 1}\n`).join('')
  await using session = await openWith(numbers)
  await session.read('f')
  await Promise.all([session.edit('f', '50', 'FIFTY'), session.edit('f', '75', 'SEVENTY-FIVE')])
  const expected = numbers.replace('50\n', 'FIFTY\n').replace('75\n', 'SEVENTY-FIVE\n')
  expect(await readFile(session.path('f'), 'utf8')).toBe(expected)
})

test('the answer is a note of success and the diff with line numbers', async () => {
  await using session = await openWith('a\nb\nc\nd\ne\nf\ng\n')
  await session.read('f')
  const { data, text } = await session.edit('f', 'e\n', 'E1\nE2\n')
  expect(text).toBe(
    `The file ${session.path('f')} has been updated.\n 2\tb\n 3\tc\n 4\td\n-5\te\n+5\tE1\n+6\tE2\n 7\tf\n 8\tg`,
  )
  expect(data).toEqual({
    filePath: session.path('f'),
    oldString: 'e\n',
    newString: 'E1\nE2\n',
    originalFile: 'a\nb\nc\nd\ne\nf\ng\n',
    structuredPatch: [
      {
        oldStart: 2,
        oldLines: 6,
        newStart: 2,
        newLines: 7,
        lines: [' b', ' c', ' d', '-e', '+E1', '+E2', ' f', ' g'],
      },
    ],
    userModified: false,
    replaceAll: false,
  })
})

test('the diff of distant places counts lines across all of them', async () => {
  const lines = Array.from({ length: 30 }, (_, index) => (index % 20 === 2 ? 'x' : `${index}`))
  await using session = await openWith(`${lines.join('\n')}\n`)
  await session.read('f')
  const { data } = await session.edit('f', 'x\n', 'y\nz\n', { replace_all: true })
  expect(
    data.structuredPatch.map(({ oldStart, newStart, oldLines, newLines }) => [
      oldStart,
      newStart,
      oldLines,
      newLines,
    ]),
  ).toEqual([
    [1, 1, 6, 7],
    [20, 21, 7, 8],
  ])
})

test('a diff beyond every limit is cut in the answer', async () => {
  await using session = await openWith('a\n'.repeat(3000))
  await session.read('f')
  const { data, text } = await session.edit('f', 'a', 'b', { replace_all: true })
  expect(text).toContain('more lines of the diff are not shown')
  expect(data.structuredPatch[0]?.lines).toHaveLength(6000)
})

test('a long line of a diff is clipped, and thousands of places cost little', async () => {
  await using session = await openWith(`${'x'.repeat(5000)} a\n${'\n'.repeat(20)}`.repeat(2000))
  session.context.files.set(session.path('f'), await knownState(session.path('f')))
  const { data, text } = await session.edit('f', ' a\n', ' b\n', { replace_all: true })
  expect(text).toContain('[line clipped: 5002 characters]')
  expect(text.length).toBeLessThan(150_000)
  expect(data.structuredPatch).toHaveLength(500)
})

test('more matches than memory should be spent on are refused', async () => {
  await using session = await openWith('a '.repeat(100_001))
  session.context.files.set(session.path('f'), await knownState(session.path('f')))
  await expect(session.edit('f', ' ', '-', { replace_all: true })).rejects.toThrow(
    'Found more than 100000 matches',
  )
})

/** As if a large file had been read whole. */
async function knownState(path: string): Promise<FileReadState> {
  const { mtimeMs, size } = await stat(path)
  return { mtimeMs, sizeBytes: size, source: 'read', isPartialView: false }
}

test('in Perforce mode a file that is not open for edit is refused by both tools', async () => {
  await using session = await openSession({ change: { isPerforceMode: true } })
  await writeFile(session.path('f'), 'a\n', { mode: 0o444 })
  await session.read('f')
  const hint = `p4 edit ${session.path('f')}`
  await expect(session.edit('f', 'a', 'b')).rejects.toThrow(hint)
  await expect(session.write('f', 'b')).rejects.toThrow(hint)
})

test('an aborted edit writes nothing', async () => {
  await using session = await openWith('a\n')
  await session.read('f')
  const reason = new Error('stop')
  const promise = session.edit('f', 'a', 'b')
  session.context.abortController.abort(reason)
  await expect(promise).rejects.toBe(reason)
  expect(await readFile(session.path('f'), 'utf8')).toBe('a\n')
})

test('the user interface hears of a change, and may throw', async () => {
  const changed: string[] = []
  const ui = {
    fileChanged: (path: string): void => {
      changed.push(path)
      throw new Error('broken')
    },
  }
  await using session = await openWith('a\n', { context: { ui } })
  await session.read('f')
  await session.edit('f', 'a', 'b')
  expect(changed).toEqual([session.path('f')])
})

test('a file above the limit is refused', async () => {
  await using session = await openWith('aaaa', { change: { maxFileBytes: 3 } })
  await session.read('f')
  await expect(session.edit('f', 'a', 'b')).rejects.toThrow('4 bytes')
})
