import { Buffer } from 'node:buffer'
import { homedir } from 'node:os'
import { createGrepTool } from '@x/tools-search'
import { describe, expect, test } from 'vitest'
import { openSession } from './session.ts'

const three = { 'a.ts': 'one\nword\n', 'b.ts': 'word\nword\n', 'c.md': 'word\n' }

describe('paths, the default mode', () => {
  test('lists paths only, newest first', async () => {
    await using session = await openSession()
    await session.write('old.ts', 'word\n', 300)
    await session.write('new.ts', 'word\n', 10)
    await session.write('middle.ts', 'word\n', 100)

    const { text, data } = await session.grep({ pattern: 'word' })

    expect(text).toBe('new.ts\nmiddle.ts\nold.ts')
    expect(data).toEqual({
      mode: 'files_with_matches',
      numFiles: 3,
      filenames: ['new.ts', 'middle.ts', 'old.ts'],
      totalFiles: 3,
    })
  })

  test('head_limit and offset count files', async () => {
    await using session = await openSession()
    for (const [index, name] of ['a', 'b', 'c', 'd'].entries())
      await session.write(name, 'word\n', index * 10)

    const { text, data } = await session.grep({ pattern: 'word', head_limit: 2, offset: 1 })

    expect(data).toMatchObject({ filenames: ['b', 'c'], appliedLimit: 2, appliedOffset: 1, totalFiles: 4 })
    expect(text).toMatch(/^b\nc\n\n\(Showing files 2 to 3 of 4\. For more use offset: 3; /)
  })
})

describe('content', () => {
  test('shows path, line number and line in the order of the paths', async () => {
    await using session = await openSession({ files: three })

    const { text, data } = await session.grep({ pattern: 'word', output_mode: 'content' })

    expect(text).toBe('a.ts:2:word\nb.ts:1:word\nb.ts:2:word\nc.md:1:word')
    expect(data).toEqual({
      mode: 'content',
      numFiles: 3,
      filenames: ['a.ts', 'b.ts', 'c.md'],
      content: text,
      numLines: 4,
      totalLines: 4,
      totalFiles: 3,
    })
  })

  test.each([
    [{ '-n': false }, 'a.ts:word'],
    [{ '-n': false, '-B': 1 }, 'a.ts-one\na.ts:word'],
    [{ '-o': true, pattern: 'o.' }, 'a.ts:1:on\na.ts:2:or'],
    [{ '-i': true, pattern: 'WORD' }, 'a.ts:2:word'],
    [{ '-A': 1, pattern: 'one' }, 'a.ts:1:one\na.ts-2-word'],
    [{ '-C': 5, pattern: 'one' }, 'a.ts:1:one\na.ts-2-word'],
    [{ context: 1, pattern: 'one' }, 'a.ts:1:one\na.ts-2-word'],
    [{ context: 1, '-A': 0, pattern: 'one' }, 'a.ts:1:one'],
  ])('%o', async (input, expected) => {
    await using session = await openSession({ files: three })

    const { text } = await session.grep({ pattern: 'word', path: 'a.ts', output_mode: 'content', ...input })

    expect(text).toBe(expected)
  })

  test('groups of lines around matches are parted by "--", which is no entry', async () => {
    await using session = await openSession({ files: { a: 'x\n1\n2\n3\n4\nx\n5\n6\nx\n' } })

    const { text, data } = await session.grep({ pattern: 'x', '-A': 1, output_mode: 'content' })
    const rest = await session.grep({ pattern: 'x', '-A': 1, output_mode: 'content', offset: 2 })

    expect(text).toBe('a:1:x\na-2-1\n--\na:6:x\na-7-5\n--\na:9:x')
    expect(data.numLines).toBe(5)
    expect(rest.data.content).toBe('a:6:x\na-7-5\n--\na:9:x')
  })

  test('pages follow on one another, with the whole stopped at the limit too', async () => {
    await using session = await openSession()
    for (const name of ['b/2', 'a', 'b.c', 'b/1', 'c']) await session.write(name, 'word\n'.repeat(2500))
    const read = async (offset: number): Promise<string> => {
      const { data } = await session.grep({
        pattern: 'word',
        output_mode: 'content',
        offset,
        head_limit: 200,
      })
      return data.content ?? ''
    }

    const first = await session.grep({ pattern: 'word', output_mode: 'content', head_limit: 200 })

    expect(first.text).toContain('Showing lines 1 to 200 of more than 10000. For more use offset: 200')
    expect(first.data.totalLines).toBeUndefined()
    expect((await read(200)).split('\n')[0]).toBe('a:201:word')
    expect((await read(2500)).split('\n')[0]).toBe('b/1:1:word')
    expect((await read(5000)).split('\n')[0]).toBe('b/2:1:word')
    expect((await read(12_400)).split('\n').at(-1)).toBe('c:2500:word')
    expect((await session.grep({ pattern: 'word', output_mode: 'content', offset: 12_500 })).text).toBe(
      'No entries at this offset',
    )
  })

  test('the end of a long result knows the total', async () => {
    await using session = await openSession({ files: { a: 'word\n'.repeat(10_050) } })

    const { text } = await session.grep({ pattern: 'word', output_mode: 'content', offset: 10_000 })

    expect(text).toContain('(Showing lines 10001 to 10050 of 10050.)')
  })

  test('head_limit 0 shows all that fits into 20,000 characters', async () => {
    await using session = await openSession({ files: { a: 'word\n'.repeat(400), b: 'flood\n'.repeat(5000) } })

    const all = await session.grep({ pattern: 'word', output_mode: 'content', head_limit: 0 })
    const flood = await session.grep({ pattern: 'flood', output_mode: 'content', head_limit: 0 })

    expect(all.data.numLines).toBe(400)
    expect(flood.text.length).toBeLessThanOrEqual(20_000)
    expect(flood.text).toMatch(/Showing lines 1 to \d{4} of 5000\. For more use offset: \d{4};/)
  })

  test('a clipped line shows the surroundings of its match', async () => {
    await using session = await openSession({
      files: { a: `${'ä😀'.repeat(3000)}needle${'y'.repeat(3000)}\n` },
    })

    const { text } = await session.grep({ pattern: 'needle', output_mode: 'content' })

    expect(text).toMatch(/^a:1:\[\.\.\.\] .*ä😀needleyyy.* \[\.\.\. line clipped\]$/u)
    expect(text.length).toBeLessThan(600)
    expect(text.isWellFormed()).toBe(true)
  })

  test('carriage returns are left out', async () => {
    await using session = await openSession({ files: { a: 'word\r\n' } })

    expect((await session.grep({ pattern: 'word', output_mode: 'content' })).text).toBe('a:1:word')
  })

  test('what is not UTF-8 becomes well-formed text', async () => {
    await using session = await openSession()
    await session.write('a', Buffer.from([0x77, 0x6f, 0x72, 0x64, 0xe9, 0x0a]))
    await session.write('b', Buffer.from('\uFEFFword in UTF-16\n', 'utf16le'))

    const { text } = await session.grep({ pattern: 'word', output_mode: 'content' })

    expect(text).toBe('a:1:word\uFFFD\nb:1:word in UTF-16')
  })

  test('a binary file is told of only when it is named', async () => {
    await using session = await openSession({
      files: { bin: 'word\0\n', 'late:x': `word\n${'x'.repeat(200_000)}\0` },
    })

    const whole = await session.grep({ pattern: 'word', output_mode: 'content', path: 'bin' })
    const found = await session.grep({ pattern: 'word', output_mode: 'content' })

    expect(whole.text).toBe('bin: (binary file matches (found "\\0" byte around offset 4))')
    expect(found.data.filenames).toEqual(['late:x'])
    expect(found.text).toContain('stopped searching binary file after match')
  })
})

describe('count', () => {
  test('the total is over everything, whatever the page', async () => {
    await using session = await openSession({ files: three })

    const { text, data } = await session.grep({ pattern: 'word', output_mode: 'count', head_limit: 1 })

    expect(data).toMatchObject({
      content: 'a.ts:1',
      numFiles: 1,
      numMatches: 4,
      totalFiles: 3,
      appliedLimit: 1,
    })
    expect(text).toMatch(/^a\.ts:1\n\nTotal: 4 matching lines in 3 files\n\n\(Showing files 1 to 1 of 3\./)
  })
})

test.each(['content', 'count', 'files_with_matches'])(
  'past the end there are no entries: %s',
  async (output_mode) => {
    await using session = await openSession({ files: three })

    const { text } = await session.grep({ pattern: 'word', output_mode, offset: 10 })

    expect(text).toMatch(/^No entries at this offset/)
  },
)

describe('which files', () => {
  const files = {
    '.gitignore': 'secret.ts\n',
    'a.ts': 'word\n',
    '.b.ts': 'word\n',
    'c.md': 'word\n',
    'secret.ts': 'word\n',
    'src/d.ts': 'word\n',
    'src/secret.ts': 'word\n',
    'src/deep/e.test.ts': 'word\n',
    '.git/f.ts': 'word\n',
    '.jj/f.ts': 'word\n',
    'src/.svn/f.ts': 'word\n',
    'src/CVS/f.ts': 'word\n',
  }

  test.each([
    [{}, ['.b.ts', 'a.ts', 'c.md', 'src/d.ts', 'src/deep/e.test.ts']],
    [{ glob: '*.ts' }, ['.b.ts', 'a.ts', 'src/d.ts', 'src/deep/e.test.ts']],
    [{ glob: '*.{md,test.ts}' }, ['c.md', 'src/deep/e.test.ts']],
    [{ glob: '!*.test.ts' }, ['.b.ts', 'a.ts', 'c.md', 'src/d.ts']],
    [{ glob: 'src/**/*.ts' }, ['src/d.ts', 'src/deep/e.test.ts']],
    [{ glob: './src/*.ts' }, ['src/d.ts']],
    [{ glob: '**/*.ts' }, ['.b.ts', 'a.ts', 'src/d.ts', 'src/deep/e.test.ts']],
    [{ glob: 'deep/*.ts', path: 'src' }, ['src/deep/e.test.ts']],
    [{ type: 'md' }, ['c.md']],
    [{ type: 'ts', glob: '*.test.*' }, ['src/deep/e.test.ts']],
    [{ type: 'md', glob: '*.ts' }, []],
    [{ path: 'secret.ts' }, ['secret.ts']],
    [{ path: 'src/' }, ['src/d.ts', 'src/deep/e.test.ts']],
    [{ path: './src/deep/../d.ts' }, ['src/d.ts']],
  ])('%o', async (input, expected) => {
    await using session = await openSession({ files })

    const { data } = await session.grep({ pattern: 'word', ...input })

    expect(data.filenames.toSorted()).toEqual(expected)
  })

  test('files that are hidden from the tool never appear, in any mode or count', async () => {
    const isHidden = (path: string): boolean => path.includes('/src/')
    await using session = await openSession({ files, grep: { isHidden } })
    const search = (output_mode: string): ReturnType<typeof session.grep> =>
      session.grep({ pattern: 'word', output_mode, glob: '*.ts', '-C': 1 })

    expect((await search('content')).text).toBe('.b.ts:1:word\n--\na.ts:1:word')
    expect((await search('files_with_matches')).data).toMatchObject({ totalFiles: 2 })
    expect((await search('count')).data).toMatchObject({ totalFiles: 2, numMatches: 2 })
  })

  test('a path outside the working folder is shown whole, one below it is not', async () => {
    await using session = await openSession({ files })

    const { data } = await session.grep({ pattern: 'word', glob: 'src/d.ts', path: session.cwd })
    const outside = await session.grep(
      { pattern: 'word', path: session.path('a.ts') },
      { cwd: session.path('src') },
    )

    expect(data.filenames).toEqual(['src/d.ts'])
    expect(outside.data.filenames).toEqual([session.path('a.ts')])
  })
})

test('a faulty line in .gitignore costs nothing and is not told', async () => {
  await using session = await openSession({ files: { '.gitignore': '[\nb\n', a: 'word\n', b: 'word\n' } })

  expect((await session.grep({ pattern: 'word' })).text).toBe('a')
})

test.each([
  ['gone', /Path does not exist: .*\/gone\. The current working directory is \//],
  ['~/gone-and-away', new RegExp(`Path does not exist: ${homedir()}/gone-and-away`)],
])('a path where nothing is is an error: %s', async (path, message) => {
  await using session = await openSession()

  await expect(session.grep({ pattern: 'x', path })).rejects.toThrow(message)
})

test.each([
  [{ pattern: 'a\0b' }, '`pattern` contains a NUL character. Remove it'],
  [{ pattern: 'a', path: '\0' }, '`path` contains a NUL character. Remove it'],
  [{ pattern: 'a', glob: '\0' }, '`glob` contains a NUL character. Remove it'],
  [{ pattern: '' }, 'pattern'],
  [{ pattern: 'a', unknown: 1 }, 'unknown'],
  [{ pattern: 'a', head_limit: -1 }, 'head_limit'],
])('a wrong input is refused: %j', async (input, message) => {
  await using session = await openSession()

  await expect(session.grep(input)).rejects.toThrow(message)
})

test.each([{ headLimit: 0 }, { maxResultChars: -1 }, { timeoutMs: NaN }])(
  'a wrong option is refused: %o',
  (options) => {
    expect(() => createGrepTool(options)).toThrow(RangeError)
  },
)

test.runIf(process.platform === 'linux')(
  'the environment of a process is never searched: the host keeps its credentials in it',
  async () => {
    await using session = await openSession()
    const search = (input: object) => session.grep({ pattern: 'PATH=', output_mode: 'content', ...input })
    await expect(search({ path: `/proc/${process.pid}/environ` })).rejects.toThrow(
      /environment of a process is not searched/,
    )
    await expect(search({ path: `/proc/self/root/proc/${process.pid}/environ` })).rejects.toThrow(
      /not searched/,
    )
    expect((await search({ path: `/proc/${process.pid}`, glob: 'environ' })).text).not.toContain('PATH=')
  },
)

test('the home folder is that of the session', async () => {
  await using session = await openSession({ files: { 'home/f.txt': 'needle', 'g.txt': 'needle' } })
  const options = { tools: [], model: 'none', isNonInteractive: true, projectDir: session.cwd }
  const context = { options: { ...options, env: { HOME: session.path('home') } } }
  expect((await session.grep({ pattern: 'needle', path: '~' }, context)).text).toBe('home/f.txt')
  expect((await session.glob({ pattern: '~/*' }, context)).text).toBe('home/f.txt')
  expect((await session.glob({ pattern: '*', path: '~' }, context)).text).toBe('home/f.txt')
})
