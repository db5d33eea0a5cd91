import { createGlobTool } from '@x/tools-search'
import { describe, expect, test } from 'vitest'
import { openSession } from './session.ts'

test('lists files newest first', async () => {
  await using session = await openSession()
  await session.write('old.ts', '', 300)
  await session.write('a/new.ts', '', 10)
  await session.write('middle.ts', '', 100)

  const { text, data } = await session.glob({ pattern: '**/*.ts' })

  expect(text).toBe('a/new.ts\nmiddle.ts\nold.ts')
  expect(data).toEqual({
    durationMs: expect.any(Number),
    numFiles: 3,
    filenames: ['a/new.ts', 'middle.ts', 'old.ts'],
    truncated: false,
    totalMatches: 3,
    countIsComplete: true,
  })
})

describe('with 150 hits', () => {
  test('lists the 100 newest and says how many there are', async () => {
    await using session = await openSession()
    for (let index = 0; index < 150; index += 1) await session.write(`f${index}`, '', index)

    const { text, data } = await session.glob({ pattern: '*' })

    expect(data).toMatchObject({ numFiles: 100, truncated: true, totalMatches: 150, countIsComplete: true })
    expect(data.filenames).toEqual(Array.from({ length: 100 }, (_, index) => `f${index}`))
    expect(text).toContain('(Showing the 100 newest of 150 files. Use a narrower pattern')
  })

  test.each([
    [{ maxResults: 2 }, {}, 2],
    [{ maxResults: 2 }, { maxGlobResults: 3 }, 3],
  ])('the limit is an option, and that of the host wins: %o %o', async (glob, limits, expected) => {
    await using session = await openSession({ glob, files: { a: '', b: '', c: '', d: '' } })

    expect((await session.glob({ pattern: '*' }, { limits })).data.numFiles).toBe(expected)
  })
})

const files = {
  '.gitignore': 'ignored.js\nout/\n',
  '.dot.js': '',
  'a.js': '',
  'ignored.js': '',
  'out/b.js': '',
  'src/c.js': '',
  'src/deep/d.jsx': '',
  'src/[id]/e.js': '',
  'src/!f.js': '',
  '.git/g.js': '',
  'src/.hg/g.js': '',
}

test('worktrees are copies: they are searched where somebody looks there, and only there', async () => {
  const copy = '.claude/worktrees/w'
  await using session = await openSession({
    files: { 'a.ts': 'word', [`${copy}/a.ts`]: 'word', '.claude/b.ts': '' },
  })
  const found = async (input: object) => (await session.glob({ pattern: '**/*.ts', ...input })).data.filenames
  expect((await found({})).toSorted()).toEqual(['.claude/b.ts', 'a.ts'])
  expect(await found({ path: copy })).toEqual([`${copy}/a.ts`])
  expect(await found({ pattern: `${copy}/*.ts` })).toEqual([`${copy}/a.ts`])
  expect((await session.grep({ pattern: 'word', glob: `${copy}/*.ts`, type: 'ts' })).data.filenames).toEqual([
    `${copy}/a.ts`,
  ])
  expect((await session.grep({ pattern: 'word' })).data.filenames).toEqual(['a.ts'])
  expect((await session.grep({ pattern: 'word', path: copy })).data.filenames).toEqual([`${copy}/a.ts`])
})

describe('which files', () => {
  test.each([
    ['*.js', ['.dot.js', 'a.js', 'ignored.js', 'out/b.js', 'src/!f.js', 'src/[id]/e.js', 'src/c.js']],
    ['src/*.js', ['src/!f.js', 'src/c.js']],
    ['src/**/*.{js,jsx}', ['src/!f.js', 'src/[id]/e.js', 'src/c.js', 'src/deep/d.jsx']],
    ['./src/*.js', ['src/!f.js', 'src/c.js']],
    ['./*.js', ['.dot.js', 'a.js', 'ignored.js']],
    ['%/src/*.js', ['src/!f.js', 'src/c.js']],
    ['%//src/deep/d.jsx', ['src/deep/d.jsx']],
    ['%/gone/*.js', []],
    ['src/\\[id\\]/*.js', ['src/[id]/e.js']],
    ['!f.js', ['src/!f.js']],
    ['*.py', []],
  ])('%s', async (pattern, expected) => {
    await using session = await openSession({ files })

    const { data } = await session.glob({ pattern: pattern.replace('%', session.cwd) })

    expect(data.filenames.toSorted()).toEqual(expected)
  })

  test.each([
    ['*.js', ['.dot.js', 'a.js', 'src/!f.js', 'src/[id]/e.js', 'src/c.js']],
    ['**/*.js', ['.dot.js', 'a.js', 'src/!f.js', 'src/[id]/e.js', 'src/c.js']],
    ['out/*', []],
  ])('without what .gitignore names: %s', async (pattern, expected) => {
    await using session = await openSession({ files, glob: { respectsIgnoreFiles: true } })

    expect((await session.glob({ pattern })).data.filenames.toSorted()).toEqual(expected)
  })

  test.each(['*.js', '**/*.js'])('without dotfiles: %s', async (pattern) => {
    await using session = await openSession({
      files: { '.a.js': '', 'b.js': '', '.c/d.js': '' },
      glob: { includesDotfiles: false },
    })

    expect((await session.glob({ pattern })).data.filenames).toEqual(['b.js'])
  })

  test('a pattern may leave the folder', async () => {
    await using session = await openSession({ files })

    const { data } = await session.glob({ pattern: '../a.js', path: 'src' })

    expect(data.filenames).toEqual(['a.js'])
  })

  test('files that are hidden from the tool are not even counted', async () => {
    await using session = await openSession({ files, glob: { isHidden: (path) => path.endsWith('/a.js') } })

    expect((await session.glob({ pattern: './*.js' })).data).toMatchObject({ numFiles: 2, totalMatches: 2 })
  })

  test('paths are relative below the working folder and whole elsewhere', async () => {
    await using session = await openSession({ files })

    const below = await session.glob({ pattern: 'c.js', path: 'src' })
    const outside = await session.glob({ pattern: 'a.js', path: '..' }, { cwd: session.path('src') })

    expect(below.data.filenames).toEqual(['src/c.js'])
    expect(outside.data.filenames).toEqual([session.path('a.js')])
  })
})

test('nothing found is said', async () => {
  await using session = await openSession()

  expect((await session.glob({ pattern: '*' })).text).toBe('No files found')
})

test.each([
  [{ pattern: 'a\0b' }, '`pattern` contains a NUL character. Remove it'],
  [{ pattern: '*', path: 'gone' }, 'Path does not exist'],
  [{ pattern: '*', path: 'a.js' }, 'Not a folder'],
  [{ pattern: '[' }, "error parsing glob '['"],
  [{ pattern: 'a/{b' }, 'error parsing glob'],
  [{ pattern: '*', limit: 1 }, 'limit'],
])('a wrong input is refused: %j', async (input, message) => {
  await using session = await openSession({ files })

  await expect(session.glob(input)).rejects.toThrow(message)
})

test('a wrong option is refused', () => {
  expect(() => createGlobTool({ maxResults: 0 })).toThrow(RangeError)
})
