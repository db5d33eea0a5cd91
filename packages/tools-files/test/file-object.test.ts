import { readdirSync, statSync } from 'node:fs'
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { basename } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSession, type Session } from './session.ts'

const isPosix = process.platform !== 'win32'
const isRoot = process.getuid?.() === 0

async function openWith(content: string): Promise<Session> {
  const session = await openSession()
  await writeFile(session.path('real.txt'), content)
  return session
}

function useUmask(mask: number): void {
  const before = process.umask(mask)
  onTestFinished(() => {
    process.umask(before)
  })
}

describe('links', () => {
  test.each(['link', 'sub/link'])(
    'an edit and a write through %s change the file behind it',
    async (name) => {
      await using session = await openWith('a\n')
      await mkdir(session.path('sub'))
      await symlink(name === 'link' ? 'real.txt' : '../real.txt', session.path(name))
      await session.read(name)
      await session.edit(name, 'a', 'b')
      expect(await readFile(session.path('real.txt'), 'utf8')).toBe('b\n')
      await session.write(name, 'c\n')
      expect(await readFile(session.path('real.txt'), 'utf8')).toBe('c\n')
      expect((await lstat(session.path(name))).isSymbolicLink()).toBe(true)
    },
  )

  test('a link and its file are one file for every check', async () => {
    await using session = await openWith('a\n')
    await symlink('real.txt', session.path('link'))
    await session.read('link')
    await expect(session.edit('real.txt', 'a', 'b')).resolves.toBeDefined()
  })

  test('a write through a dangling link makes the file it names', async () => {
    await using session = await openSession()
    await symlink('sub/new', session.path('link'))
    await session.write('link', 'x')
    expect(await readFile(session.path('sub/new'), 'utf8')).toBe('x')
    expect((await lstat(session.path('link'))).isSymbolicLink()).toBe(true)
  })

  test('a circle of links is an error', async () => {
    await using session = await openSession()
    await symlink('b', session.path('a'))
    await symlink('a', session.path('b'))
    await expect(session.write('a', 'x')).rejects.toThrow('ELOOP')
  })

  test('a file with two names keeps both', async () => {
    await using session = await openWith('long content\n')
    await link(session.path('real.txt'), session.path('second'))
    await session.read('real.txt')
    await session.edit('real.txt', 'long content', 'x')
    expect(await readFile(session.path('second'), 'utf8')).toBe('x\n')
    expect((await stat(session.path('second'))).nlink).toBe(2)
  })
})

describe.skipIf(!isPosix)('modes (Windows has none)', () => {
  test.each([0o077, 0o022])('stay as they are under umask %o', async (mask) => {
    useUmask(mask)
    await using session = await openSession()
    for (const [name, mode] of [
      ['a.sh', 0o755],
      ['secret', 0o600],
      ['shared', 0o666],
      ['closed', 0o444],
    ] as const) {
      await writeFile(session.path(name), 'a\n')
      await chmod(session.path(name), mode)
      await session.read(name)
      const works = isRoot || (mode & 0o200) !== 0
      const outcome = await session.edit(name, 'a', 'b').then(
        () => true,
        () => false,
      )
      expect([name, outcome, (await stat(session.path(name))).mode & 0o777]).toEqual([name, works, mode])
    }
  })

  test.each([
    [0o027, 0o640],
    [0o022, 0o644],
    [0o077, 0o600],
  ])('of a new file follow umask %o', async (mask, mode) => {
    useUmask(mask)
    await using session = await openSession()
    await session.write('f', 'x')
    expect((await stat(session.path('f'))).mode & 0o777).toBe(mode)
  })

  test('a secret is readable by nobody else at any moment', async () => {
    useUmask(0)
    await using session = await openSession()
    await writeFile(session.path('secret'), 'a'.repeat(4_000_000), { mode: 0o600 })
    const { mtimeMs, size } = statSync(session.path('secret'))
    session.context.files.set(session.path('secret'), {
      mtimeMs,
      sizeBytes: size,
      source: 'shell',
      isPartialView: false,
    })
    const modes = new Set<number>()
    const names = new Set<string>()
    let isRunning = true
    const look = (): void => {
      for (const name of readdirSync(session.cwd)) {
        names.add(name)
        const mode = statSync(session.path(name), { throwIfNoEntry: false })?.mode
        if (mode !== undefined) modes.add(mode & 0o077)
      }
      if (isRunning) setImmediate(look)
    }
    look()
    await session.write('secret', 'b'.repeat(4_000_000))
    isRunning = false
    // The file itself and the one that took its place.
    expect([names.size, ...modes]).toEqual([2, 0])
  })

  test.runIf(isRoot)('the owner stays (only root can give files away, so only root can try)', async () => {
    await using session = await openWith('a\n')
    await chown(session.path('real.txt'), 1234, 4321)
    await session.read('real.txt')
    await session.edit('real.txt', 'a', 'b')
    expect(await stat(session.path('real.txt'))).toMatchObject({ uid: 1234, gid: 4321 })
  })
})

describe('nothing is lost on the way', () => {
  test('no temporary file stays, whatever happened', async () => {
    await using session = await openWith('a\n')
    await session.read('real.txt')
    await session.edit('real.txt', 'a', 'b')
    await session.write('new', 'x')
    session.context.abortController.abort(new Error('stop'))
    await session.write('other', 'x').catch(() => {})
    expect((await readdir(session.cwd)).toSorted()).toEqual(['new', 'real.txt'])
  })

  test('a name as long as names can be is written', async () => {
    await using session = await openSession()
    const path = session.path('n'.repeat(255))
    await session.write(basename(path), 'a')
    await session.edit(basename(path), 'a', 'b')
    expect(await readFile(path, 'utf8')).toBe('b')
  })

  test('many small pieces are written whole', async () => {
    await using session = await openWith('ab'.repeat(20_000))
    await session.read('real.txt')
    await session.edit('real.txt', 'b', 'cc', { replace_all: true })
    expect(await readFile(session.path('real.txt'), 'utf8')).toBe('acc'.repeat(20_000))
  })
})
