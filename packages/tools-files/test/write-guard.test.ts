import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { makeMemoryOperations } from './memory-operations.ts'
import { openSession } from './session.ts'

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

test('a file that appears while a new one is written is left alone', async () => {
  await using session = await openSession()
  const writes = [session.write('f', 'first'), session.write('f', 'second')]
  const outcomes = await Promise.allSettled(writes)
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  await writeFile(session.path('g'), 'theirs')
  await expect(session.write('g', 'x')).rejects.toThrow('File has not been read yet.')
  expect(await readFile(session.path('g'), 'utf8')).toBe('theirs')
})
