import { execFileSync } from 'node:child_process'
import { mkdir, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { createFileReadCache, createReadTool } from '@x/tools-files'
import { describe, expect, test } from 'vitest'
import { makeContext, openSession } from './session.ts'

describe('lines', () => {
  test.each([
    ['two lines', 'a\nb\n', {}, '1\ta\n2\tb'],
    ['a last line without a line feed', 'a\nb', {}, '1\ta\n2\tb'],
    ['from an offset', 'a\nb\nc\n', { offset: 2 }, '2\tb\n3\tc'],
    ['a range', 'a\nb\nc\n', { offset: 2, limit: 1 }, '2\tb'],
    ['offset 0 as the first line', 'a\nb\n', { offset: 0, limit: 1 }, '1\ta'],
    ['one empty line', '\n', {}, '1\t'],
    ['CRLF as LF', 'a\r\nb\r\n', {}, '1\ta\n2\tb'],
    ['without the byte-order mark', '\uFEFFa\n', {}, '1\ta'],
    ['an empty file', '', {}, 'The file exists but is empty.'],
    ['nothing but a byte-order mark', '\uFEFF', {}, 'The file exists but is empty.'],
    [
      'past the end',
      'a\nb\nc',
      { offset: 99 },
      'The file exists but has only 3 lines; offset 99 is past its end.',
    ],
  ])('shows %s', async (...[, content, range, expected]) => {
    await using session = await openSession()
    await writeFile(session.path('f'), content)
    const { text } = await session.read({ file_path: 'f', ...range })
    expect(text).toBe(expected)
  })

  test('tells the program where the lines stand', async () => {
    await using session = await openSession()
    await writeFile(session.path('f'), 'a\nb\nc\n')
    const { data } = await session.read({ file_path: 'f', offset: 2, limit: 1 })
    const file = { filePath: session.path('f'), content: 'b', numLines: 1, startLine: 2, totalLines: 3 }
    expect(data).toEqual({ type: 'text', file })
  })
})

describe('the token limit', () => {
  const line = `${'x'.repeat(99)}\n`

  test('gives the first page of a whole file, and how to go on', async () => {
    await using session = await openSession()
    await writeFile(session.path('f'), line.repeat(2400))
    const { data, text } = await session.read('f')
    expect(data).toMatchObject({
      type: 'text',
      file: { numLines: 1000, truncatedByTokenCap: true, totalLines: 2400 },
    })
    expect(text).toMatch(/\[PARTIAL view: lines 1-1000 of 2400\. Go on with offset 1001 and limit 1000\.\]$/)
  })

  test('refuses a range that is too long, and says what fits', async () => {
    await using session = await openSession()
    await writeFile(session.path('f'), line.repeat(2400))
    await expect(session.read({ file_path: 'f', limit: 100_000 })).rejects.toThrow(
      /^File content \(\d+ tokens\) exceeds maximum allowed tokens \(25000\)\..*offset 1 with limit 1000 fits/,
    )
  })

  test('comes from the context before the option', async () => {
    await using session = await openSession({
      read: { maxTokens: 1000 },
      context: { limits: { maxReadTokens: 50 } },
    })
    await writeFile(session.path('f'), line.repeat(10))
    expect((await session.read('f')).data).toMatchObject({ file: { numLines: 2 } })
  })

  test('clips a line that alone is longer, and lets the reader go on behind it', async () => {
    await using session = await openSession()
    const rest = Array.from({ length: 9 }, (_, index) => `line ${index + 2}`).join('\n')
    await writeFile(session.path('f'), `${'y'.repeat(200_000)}\n${rest}\n`)
    const first = await session.read('f')
    const [, offset, limit] = /Go on with offset (\d+) and limit (\d+)/.exec(first.text) ?? []
    const second = await session.read({ file_path: 'f', offset: Number(offset), limit: Number(limit) })
    expect(first.text).toContain('Line 1 is clipped')
    expect(second.text.split('\n')[0]).toBe('2\tline 2')
    expect(second.text).toContain('10\tline 10')
  })

  test('reads one line of a large sparse file without its size', async () => {
    await using session = await openSession()
    await writeFile(session.path('big'), 'first\n')
    await truncate(session.path('big'), 512 * 1024 * 1024)
    const before = process.memoryUsage().rss
    const { text } = await session.read({ file_path: 'big', limit: 1 })
    expect(text).toBe('1\tfirst')
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024)
  })

  test('counts no lines far behind the range', async () => {
    await using session = await openSession()
    await writeFile(session.path('f'), line.repeat(50_000))
    const { data } = await session.read({ file_path: 'f', limit: 2 })
    expect(data.type === 'text' && data.file.totalLines).toBeUndefined()
  })
})

describe('an unchanged file', () => {
  const UNCHANGED =
    'Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.'

  test('is not sent again', async () => {
    await using session = await openSession()
    await writeFile(session.path('f'), 'a\n')
    await session.read('f')
    const { data, text } = await session.read('f')
    expect([data, text]).toEqual([
      { type: 'file_unchanged', file: { filePath: session.path('f') } },
      UNCHANGED,
    ])
  })

  test('is sent again through a link only if its content was not', async () => {
    await using session = await openSession()
    await writeFile(session.path('f'), 'a\n')
    await symlink('f', session.path('link'))
    await session.read('f')
    expect((await session.read('link')).text).toBe(UNCHANGED)
  })

  test.each(['another range', 'a later time', 'a write', 'a partial view'])(
    'is sent again after %s',
    async (what) => {
      await using session = await openSession({ read: { maxTokens: 1 } })
      await writeFile(session.path('f'), what === 'a partial view' ? 'abc\nabc\n' : 'abc')
      await session.read('f')
      if (what === 'a write') await session.edit('f', 'abc', 'abd')
      if (what === 'a later time') await utimes(session.path('f'), 1, 1)
      const range = what === 'another range' ? { limit: 1 } : {}
      expect((await session.read({ file_path: 'f', ...range })).data.type).toBe('text')
    },
  )
})

describe('what cannot be read', () => {
  test('a missing file: names the working folder and a file of nearly the same name', async () => {
    await using session = await openSession()
    await writeFile(session.path('main.ts'), '')
    await expect(session.read('main.js')).rejects.toThrow(
      `File does not exist. Note: your current working directory is ${session.cwd}. Did you mean ${session.path('main.ts')}?`,
    )
    await expect(session.read('lib/main.ts')).rejects.toThrow(`Did you mean ${session.path('main.ts')}?`)
    await expect(session.read('other')).rejects.toThrow(/is [^ ]+\.$/)
  })

  test('a folder: names ls', async () => {
    await using session = await openSession()
    await expect(session.read('.')).rejects.toThrow(/directory.*ls/)
  })

  test.skipIf(process.platform === 'win32')(
    'a pipe or a device: all three tools refuse at once',
    async () => {
      await using session = await openSession()
      execFileSync('sh', ['-c', 'mkfifo "$0"', session.path('pipe')])
      await expect(session.read('pipe')).rejects.toThrow('Not a regular file')
      await expect(session.write('pipe', 'x')).rejects.toThrow('Not a regular file')
      await expect(session.edit('pipe', 'a', 'b')).rejects.toThrow('Not a regular file')
      await expect(session.read('/dev/zero')).rejects.toThrow('Not a regular file')
      await expect(session.read('/dev/stdin')).rejects.toThrow()
    },
    15_000,
  )

  test('a binary file', async () => {
    await using session = await openSession()
    await writeFile(session.path('f'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0]))
    await expect(session.read('f')).rejects.toThrow('binary file')
  })

  test.each([
    ['a null byte', 'a\0b', /null byte.*Remove it/],
    ['nothing', '', /empty/],
  ])('a path with %s', async (_, path, expected) => {
    await using session = await openSession()
    await expect(session.read(path)).rejects.toThrow(expected)
  })
})

describe('paths', () => {
  test('start at the folder of the context, or at the home folder', async () => {
    await using session = await openSession()
    await mkdir(session.path('sub'))
    await writeFile(session.path('sub/f'), 'found')
    const read = createReadTool()
    const home = makeContext('/', {
      options: { ...session.context.options, env: { HOME: session.cwd } },
    })
    const seen = [
      read.backfillInput?.({ file_path: 'f' }, makeContext(session.path('sub'))),
      read.backfillInput?.({ file_path: '~/sub/f' }, home),
      read.backfillInput?.({ file_path: '../f' }, makeContext(session.path('sub'))),
    ]
    expect(seen.map((input) => input?.file_path)).toEqual([
      session.path('sub/f'),
      session.path('sub/f'),
      session.path('f'),
    ])
    expect((await session.read('sub/f')).text).toBe('1\tfound')
  })
})

test('reads are safe beside each other, read-only and bounded by themselves', () => {
  const read = createReadTool()
  const input = { file_path: 'f' }
  expect([read.isConcurrencySafe?.(input), read.isReadOnly?.(input), read.maxResultSizeChars]).toEqual([
    true,
    true,
    Infinity,
  ])
})

test('rejects with the reason of an abort, before and while it reads', async () => {
  await using session = await openSession()
  await writeFile(session.path('f'), 'x\n'.repeat(3_000_000))
  const reason = new Error('stop')
  const promise = session.read({ file_path: 'f', offset: 2_900_000 })
  session.context.abortController.abort(reason)
  await expect(promise).rejects.toBe(reason)
  await expect(session.read('f')).rejects.toBe(reason)
})

test.each([
  ['an unknown field', { file_path: 'f', foo: 1 }],
  ['no path', {}],
  ['a negative offset', { file_path: 'f', offset: -1 }],
  ['half a line', { file_path: 'f', limit: 0.5 }],
])('the schema refuses %s', (_, input) => {
  expect(createReadTool().inputSchema.safeParse(input).success).toBe(false)
})

test.each([{ maxTokens: 0 }, { maxFileBytes: Number.NaN }])('the factory refuses %o', (options) => {
  expect(() => createReadTool(options)).toThrow(RangeError)
})

test('a partial read takes nothing away from a file that is known whole', async () => {
  await using session = await openSession({ context: { files: createFileReadCache() } })
  await writeFile(session.path('f'), 'a\nb\n')
  await session.read('f')
  await session.read({ file_path: 'f', limit: 1 })
  await expect(session.edit('f', 'b', 'c')).resolves.toBeDefined()
})

test.runIf(process.platform === 'linux').each([
  ['itself', '/proc/self/environ'],
  ['a thread', `/proc/${process.pid}/task/${process.pid}/environ`],
  ['another way there', '/proc/self/root/proc/self/environ'],
  ['a link', 'link'],
])(
  'the environment of a process is never read, for the host keeps its credentials in it: %s',
  async (_, path) => {
    await using session = await openSession()
    await symlink('/proc/self/environ', session.path('link'))
    await expect(session.read(path)).rejects.toThrow(/environment of a process is not read/)
    await expect(session.write(path, 'x')).rejects.toThrow()
  },
)
