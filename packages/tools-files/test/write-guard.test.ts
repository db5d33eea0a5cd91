import { readdirSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { makeMemoryOperations } from './memory-operations.ts'
import { openSession, type Session } from './session.ts'

describe('through other operations than those of Node', () => {
  test('all three tools work, and touch no disk', async () => {
    const { operations, files } = makeMemoryOperations({ '/far/f': 'a\n' })
    await using session = await openSession({ read: { operations }, change: { operations } })
    const { text } = await session.read('/far/f')
    await session.edit('/far/f', 'a', 'b')
    await session.write('/far/new', 'c')
    expect(text).toBe('1\ta')
    expect(Object.fromEntries(files)).toEqual({ '/far/f': 'b\n', '/far/new': 'c' })
  })

  test('a file that changes between the load and the write is left alone', async () => {
    const { operations, files } = makeMemoryOperations({ '/far/f': 'a\n' })
    await using session = await openSession({
      read: { operations },
      change: {
        operations: {
          ...operations,
          write: (path, content, options) => {
            files.set(path, 'theirs')
            return operations.write(path, content, options)
          },
        },
      },
    })
    await session.read('/far/f')
    await expect(session.edit('/far/f', 'a', 'b')).rejects.toThrow('File has been modified since read')
    expect(files.get('/far/f')).toBe('theirs')
  })

  test('a refused permission reads as one', async () => {
    const { operations } = makeMemoryOperations({ '/far/f': 'a\n' })
    const refuse = async (): Promise<never> => {
      throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
    }
    await using session = await openSession({
      read: { operations: { ...operations, open: refuse } },
      change: { operations: { ...operations, write: refuse } },
    })
    await expect(session.read('/far/f')).rejects.toThrow('Permission denied: /far/f')
    await expect(session.write('/far/new', 'x')).rejects.toThrow('Permission denied: /far/new')
  })
})

/** Lets somebody else act once, at the last moment before the new content takes its place. */
function actBeforeReplacing(session: Session, act: () => void): void {
  const { signal } = session.context.abortController
  let isDone = false
  signal.throwIfAborted = () => {
    if (isDone || !readdirSync(session.cwd).some((name) => name.endsWith('.tmp'))) return
    isDone = true
    act()
  }
}

describe('while the temporary file is written', () => {
  test('a change by somebody else wins', async () => {
    await using session = await openSession()
    await writeFile(session.path('f'), 'a\n')
    await session.read('f')
    actBeforeReplacing(session, () => writeFileSync(session.path('f'), 'theirs'))
    await expect(session.edit('f', 'a', 'b')).rejects.toThrow('File has been modified since read')
    expect(await readFile(session.path('f'), 'utf8')).toBe('theirs')
    expect(await readdir(session.cwd)).toEqual(['f'])
  })

  test('a file that appears under the new name wins', async () => {
    await using session = await openSession()
    actBeforeReplacing(session, () => writeFileSync(session.path('f'), 'theirs'))
    await expect(session.write('f', 'ours')).rejects.toThrow('File has been modified since read')
    expect(await readFile(session.path('f'), 'utf8')).toBe('theirs')
    expect(await readdir(session.cwd)).toEqual(['f'])
  })

  test('an abort leaves the old file, and no other', async () => {
    await using session = await openSession()
    await writeFile(session.path('f'), 'a\n')
    await session.read('f')
    const reason = new Error('stop')
    actBeforeReplacing(session, () => {
      throw reason
    })
    await expect(session.edit('f', 'a', 'b')).rejects.toBe(reason)
    expect(await readFile(session.path('f'), 'utf8')).toBe('a\n')
    expect(await readdir(session.cwd)).toEqual(['f'])
  })
})

test('two writes of one new file at once both succeed, and one is there whole', async () => {
  await using session = await openSession()
  await Promise.all([session.write('f', 'first'), session.write('f', 'second')])
  expect(['first', 'second']).toContain(await readFile(session.path('f'), 'utf8'))
})

// Root may write everywhere, so this says nothing there.
test.skipIf(process.getuid?.() === 0)(
  'a file in a folder that takes no new file is written in place',
  async () => {
    await using session = await openSession()
    await mkdir(session.path('sub'))
    await writeFile(session.path('sub/f'), 'a\n')
    await session.read('sub/f')
    await chmod(session.path('sub'), 0o555)
    await session.edit('sub/f', 'a', 'b')
    await chmod(session.path('sub'), 0o755)
    expect(await readFile(session.path('sub/f'), 'utf8')).toBe('b\n')
  },
)
