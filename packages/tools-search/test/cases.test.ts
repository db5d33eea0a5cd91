import { execFileSync } from 'node:child_process'
import { access, chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { getuid } from 'node:process'
import { rgPath } from '@vscode/ripgrep'
import { describe, expect, test } from 'vitest'
import { openSession } from './session.ts'

const content = { output_mode: 'content' }

test.each(['-world', '--flag', '->'])(
  'SE-01: a pattern that begins with a dash is a pattern: %s',
  async (pattern) => {
    await using session = await openSession({ files: { 'a.txt': 'hello -world\n--flag\n-> arrow\n' } })

    const { data } = await session.grep({ pattern, ...content })

    expect(data.numLines).toBe(1)
    expect(data.content).toContain(pattern)
  },
)

test.each(['--pre=%/hit.sh', '-f/etc/passwd', '--hostname-bin=%/hit.sh', '-e'])(
  'SE-02: a pattern that is an option of ripgrep is text to find: %s',
  async (template) => {
    await using session = await openSession()
    const pattern = template.replace('%', session.cwd)
    await session.write('hit.sh', `#!/bin/sh\necho yes > ${session.path('pwned')}\n`)
    await chmod(session.path('hit.sh'), 0o755)
    await session.write('a.txt', `before\n${pattern}\nroot\n`)

    const { text } = await session.grep({ pattern, ...content })

    expect(text).toBe(`a.txt:2:${pattern}`)
    await expect(access(session.path('pwned'))).rejects.toThrow('ENOENT')
  },
)

test.each(['glob', 'path'])('SE-02: an option of ripgrep as %s names a file', async (field) => {
  await using session = await openSession({ files: { 'a.txt': 'text\n', '--pre=sh': 'text\n' } })

  expect((await session.grep({ pattern: 'text', [field]: '--pre=sh' })).text).toBe('--pre=sh')
})

describe('SE-03: an invalid expression is not "no matches"', () => {
  test.each([
    ['(', 'unclosed group'],
    ['a{', 'repetition quantifier'],
    ['interface{}', 'repetition quantifier'],
  ])('%s is an error in the words of ripgrep', async (pattern, reason) => {
    await using session = await openSession({ files: { 'a.txt': 'interface{}\n' } })

    await expect(session.grep({ pattern })).rejects.toThrow(reason)
  })

  test.each([
    ['glob', '[', 'error parsing glob'],
    ['glob', 'a/[', 'error parsing glob'],
    ['type', 'nonsense', 'unrecognized file type'],
    ['type', '--pre=sh', 'unrecognized file type'],
  ])('a wrong %s is an error in the words of ripgrep: %s', async (field, value, reason) => {
    await using session = await openSession({ files: { 'a.txt': 'text\n' } })

    await expect(session.grep({ pattern: 'text', [field]: value })).rejects.toThrow(reason)
  })

  test.each([
    ['content', 'No matches found'],
    ['count', 'No matches found'],
    ['files_with_matches', 'No files found'],
  ])('nothing found in mode %s is a success', async (output_mode, text) => {
    await using session = await openSession({ files: { 'a.txt': 'text\n' } })

    expect((await session.grep({ pattern: 'zzz_not_there', output_mode })).text).toBe(text)
  })
})

/** Root may read everything, so there ripgrep runs as somebody else. */
async function makeUnprivilegedRipgrep(folder: string): Promise<string | undefined> {
  if (getuid?.() !== 0) return rgPath
  const program = `${folder}/rg`
  try {
    execFileSync('cp', [rgPath, `${program}-copy`])
    await writeFile(
      program,
      `#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups ${program}-copy "$@"\n`,
    )
    await chmod(program, 0o755)
    await chmod(folder, 0o755)
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return program
  } catch {
    return undefined
  }
}

describe('SE-04: one unreadable entry does not discard the others', () => {
  test.each([
    ['answer', { output_mode: 'content' }, 'r/a:1:answer'],
    ['answer', {}, 'r/a'],
    ['zzz', {}, 'No files found'],
  ])('finding %s with %o', async (pattern, mode, found) => {
    await using programs = await openSession()
    const ripgrepPath = await makeUnprivilegedRipgrep(programs.cwd)
    if (ripgrepPath === undefined) return expect(getuid?.(), 'setpriv is missing and root reads all').toBe(0)
    await using session = await openSession({ grep: { ripgrepPath }, files: { 'r/a': 'answer\n' } })
    await chmod(session.cwd, 0o755)
    await mkdir(session.path('l'), { mode: 0o000 })

    const { text } = await session.grep({ pattern, ...mode })

    expect(text).toBe(`${found}\n\n(Some entries could not be searched: l: Permission denied (os error 13))`)
  })
})

describe('SE-05: hidden files are found by both tools', () => {
  const files = { '.github/workflows/ci.yml': 'word\n', 'a.yml': 'other\n' }

  test.each([
    ['.github/workflows/*.yml', ['.github/workflows/ci.yml']],
    ['**/*.yml', ['.github/workflows/ci.yml', 'a.yml']],
    ['*.yml', ['.github/workflows/ci.yml', 'a.yml']],
  ])('Glob %s', async (pattern, expected) => {
    await using session = await openSession({ files })

    expect((await session.glob({ pattern })).data.filenames.toSorted()).toEqual(expected)
  })

  test('Grep', async () => {
    await using session = await openSession({ files })

    expect((await session.grep({ pattern: 'word' })).text).toBe('.github/workflows/ci.yml')
  })
})

describe('SE-06: a path inside an ignored folder', () => {
  test('Glob lists ignored files', async () => {
    await using session = await openSession({ files: { '.gitignore': 'dist/\n', 'dist/a/b.js': 'x\n' } })

    expect((await session.glob({ pattern: 'dist/**/*.js' })).text).toBe('dist/a/b.js')
  })

  test.each(['dist/', 'dist', '/dist/*', 'dist/**', '*.js'])(
    'Grep leaves out what .gitignore names by %s unless its path is given',
    async (rule) => {
      await using session = await openSession({
        files: { '.gitignore': `${rule}\n`, 'dist/a/b.js': 'word\n' },
      })

      expect((await session.grep({ pattern: 'word' })).text).toBe('No files found')
      expect((await session.grep({ pattern: 'word', path: 'dist/' })).text).toBe('dist/a/b.js')
      expect((await session.grep({ pattern: 'word', path: 'dist/a/b.js' })).text).toBe('dist/a/b.js')
    },
  )

  test('a given folder that is not ignored keeps what is ignored in it out', async () => {
    await using session = await openSession({
      files: { '.gitignore': 'dist/\n', 'src/dist/b.js': 'word\n', 'src/a.js': 'text\n' },
    })

    expect((await session.grep({ pattern: 'word', path: 'src' })).text).toBe('No files found')
  })
})

describe('a repository inside of a folder that is ignored', () => {
  test('is searched by its own ignore files alone, from its top and from below', async () => {
    await using session = await openSession({
      files: {
        'all/.gitignore': '*\n',
        'all/one/.git': 'gitdir: elsewhere\n',
        'all/one/.gitignore': 'out/\n',
        'all/one/src/a.js': 'word\n',
        'all/one/out/b.js': 'word\n',
      },
    })
    const one = { cwd: session.path('all/one') }
    expect((await session.grep({ pattern: 'word' }, one)).text).toBe('src/a.js')
    expect((await session.grep({ pattern: 'word', path: 'src' }, one)).text).toBe('src/a.js')
    expect((await session.grep({ pattern: 'word', path: 'src/a.js' }, one)).text).toBe('src/a.js')
  })
})

test('SE-07: link cycles end and give each file once', async () => {
  await using session = await openSession({ files: { 'a/one.txt': 'word\n', 'two.txt': 'word\n' } })
  await symlink('.', session.path('loop'))
  await symlink('..', session.path('a/up'))

  expect((await session.glob({ pattern: '**/*.txt' })).data.filenames.toSorted()).toEqual([
    'a/one.txt',
    'two.txt',
  ])
  expect((await session.grep({ pattern: 'word' })).data.filenames.toSorted()).toEqual([
    'a/one.txt',
    'two.txt',
  ])
})

test('SE-08: a pipe in the tree is passed over, and refused as a path', async () => {
  await using session = await openSession({ files: { 'a.md': 'word\n' } })
  execFileSync('sh', ['-c', 'mkfifo "$0"', session.path('notes.md')])

  expect((await session.grep({ pattern: 'word' })).text).toBe('a.md')
  expect((await session.glob({ pattern: '*.md' })).text).toBe('a.md')
  await expect(session.grep({ pattern: 'word', path: 'notes.md' })).rejects.toThrow('Not a file or folder')
})

describe('SE-09: colons, dashes and line breaks in paths', () => {
  const files = {
    'dir:name/f.txt': 'x\na:1:b\ny\n',
    'badly:52:f.txt': 'a:1:b\n',
    '-dash-7-a.txt': 'a:1:b\n',
    'line\nbreak.txt': 'a:1:b\n',
  }

  test('content', async () => {
    await using session = await openSession({ files })

    const { data } = await session.grep({ pattern: 'a:1:b', ...content })

    expect(data.content?.split('\n')).toEqual([
      '-dash-7-a.txt:1:a:1:b',
      'badly:52:f.txt:1:a:1:b',
      'dir:name/f.txt:2:a:1:b',
      'line',
      'break.txt:1:a:1:b',
    ])
    expect(data.filenames).toEqual(Object.keys(files).toSorted())
  })

  test('content with lines around', async () => {
    await using session = await openSession({ files })

    const { text } = await session.grep({ pattern: 'a:1:b', path: 'dir:name', '-C': 1, ...content })

    expect(text).toBe('dir:name/f.txt-1-x\ndir:name/f.txt:2:a:1:b\ndir:name/f.txt-3-y')
  })

  test('paths and counts', async () => {
    await using session = await openSession({ files })

    const paths = await session.grep({ pattern: 'a:1:b' })
    const counts = await session.grep({ pattern: 'a:1:b', output_mode: 'count' })

    expect(paths.data.filenames.toSorted()).toEqual(Object.keys(files).toSorted())
    expect(counts.data).toMatchObject({ numMatches: 4, filenames: Object.keys(files).toSorted() })
  })

  test('Glob', async () => {
    await using session = await openSession({ files })

    expect((await session.glob({ pattern: '**/*.txt' })).data.filenames.toSorted()).toEqual(
      Object.keys(files).toSorted(),
    )
  })
})

describe('SE-10: matches over several lines', () => {
  test.each(['foo\\nbar', 'foo\nbar', 'foo.*bar'])('%j is found with multiline only', async (pattern) => {
    await using session = await openSession({ files: { 'a.txt': 'foo\nbar\n' } })
    const search = async (mode: object): Promise<string> => (await session.grep({ pattern, ...mode })).text

    expect(await search({ multiline: true, output_mode: 'content' })).toBe('a.txt:1:foo\na.txt:2:bar')
    expect(await search({ multiline: true, output_mode: 'content', '-o': true })).toBe(
      'a.txt:1:foo\na.txt:2:bar',
    )
    expect(await search({ multiline: true })).toBe('a.txt')
    expect(await search({ multiline: true, output_mode: 'count' })).toMatch(/^a\.txt:1\n/)
    expect(await search({ output_mode: 'content' })).toMatch(/^No matches found/)
  })

  test('a line break in the pattern says what it needs', async () => {
    await using session = await openSession({ files: { 'a.txt': 'foo\nbar\n' } })

    expect((await session.grep({ pattern: 'foo\\nbar' })).text).toContain('multiline: true')
  })
})

test('SE-11: a flood is clipped, counted, and says how to go on', async () => {
  await using session = await openSession({
    files: { 'a.min.js': `needle${'x'.repeat(120_000)}\n`, 'b.txt': 'a needle in a line\n'.repeat(5000) },
  })

  const { text, data } = await session.grep({ pattern: 'needle', ...content })

  expect(text.length).toBeLessThanOrEqual(20_000)
  expect(text.split('\n')[0]).toMatch(/^a\.min\.js:1:needlex{494} \[\.\.\. line clipped\]$/)
  expect(text).toContain('Showing lines 1 to 250 of 5001. For more use offset: 250')
  expect(data).toMatchObject({ numLines: 250, totalLines: 5001, appliedLimit: 250, totalFiles: 2 })
})
