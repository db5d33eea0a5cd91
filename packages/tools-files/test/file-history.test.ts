import { Buffer } from 'node:buffer'
import { chmod, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import type { FileChange, FileHistory } from '@x/contract'
import { describe, expect, test } from 'vitest'
import { openSession, type Session } from './session.ts'

interface Told {
  readonly event: 'before' | 'written'
  readonly path: string
  readonly before: string | undefined
  readonly mode: number | undefined
  readonly after: string | undefined
  /** What was on the disk at that moment. */
  readonly disk: string | undefined
}

/** A history that writes down what it is told, and what the disk holds meanwhile. */
function recordHistory(told: Told[]): FileHistory {
  const note = async (event: Told['event'], { path, before, after }: FileChange): Promise<void> => {
    told.push({
      event,
      path,
      before: before && Buffer.from(before.bytes).toString(),
      mode: before?.mode,
      after: after && Buffer.concat(after).toString(),
      disk: await readFile(path, 'utf8').catch(() => undefined),
    })
  }
  return {
    beforeChange: async (change) => {
      await note('before', change)
      return () => note('written', change)
    },
  }
}

async function openWith(fileHistory: FileHistory, content?: string): Promise<Session> {
  const session = await openSession({ context: { fileHistory } })
  if (content !== undefined) await writeFile(session.path('f'), content)
  return session
}

const reject = (reason: unknown): FileHistory => ({ beforeChange: () => Promise.reject(reason) })

describe('the file history', () => {
  test('is told of an edit before the first byte is written, and once it is in place', async () => {
    const told: Told[] = []
    await using session = await openWith(recordHistory(told), 'a\n')
    await chmod(session.path('f'), 0o600)
    await session.read('f')
    await session.edit('f', 'a', 'b')
    const change = { path: session.path('f'), before: 'a\n', mode: 0o600, after: 'b\n' }
    expect(told).toEqual([
      { event: 'before', ...change, disk: 'a\n' },
      { event: 'written', ...change, disk: 'b\n' },
    ])
  })

  test('is told of a new file and of one that is replaced', async () => {
    const told: Told[] = []
    await using session = await openWith(recordHistory(told))
    await session.write('f', 'a')
    await session.write('f', 'b')
    expect(told.map(({ before, after, disk }) => [before, after, disk])).toEqual([
      [undefined, 'a', undefined],
      [undefined, 'a', 'a'],
      ['a', 'b', 'a'],
      ['a', 'b', 'b'],
    ])
  })

  test('gets the path behind a link', async () => {
    const told: Told[] = []
    await using session = await openWith(recordHistory(told), 'a\n')
    await symlink('f', session.path('link'))
    await session.read('link')
    await session.edit('link', 'a', 'b')
    expect(new Set(told.map(({ path }) => path))).toEqual(new Set([session.path('f')]))
  })

  test('hears nothing of a call that is refused', async () => {
    const told: Told[] = []
    await using session = await openWith(recordHistory(told), 'a\n')
    await expect(session.write('f', 'b')).rejects.toThrow('not been read')
    await session.read('f')
    await expect(session.edit('f', 'x', 'y')).rejects.toThrow('not found')
    expect(told).toEqual([])
  })

  test('is not told that a write is in place when somebody else was quicker', async () => {
    const told: string[] = []
    await using session = await openWith(
      {
        beforeChange: async ({ path }) => {
          told.push('before')
          await writeFile(`${path}.new`, 'theirs')
          await rename(`${path}.new`, path)
          return async () => void told.push('written')
        },
      },
      'a\n',
    )
    await session.read('f')
    await expect(session.edit('f', 'a', 'b')).rejects.toThrow('modified since read')
    expect([told, await readFile(session.path('f'), 'utf8')]).toEqual([['before'], 'theirs'])
  })

  test('stops the change by a rejection', async () => {
    const reason = new Error('no way back')
    await using session = await openWith(reject(reason), 'a\n')
    await session.read('f')
    await expect(session.edit('f', 'a', 'b')).rejects.toBe(reason)
    await expect(session.write('g', 'b')).rejects.toBe(reason)
    expect(await readFile(session.path('f'), 'utf8')).toBe('a\n')
    await expect(readFile(session.path('g'))).rejects.toThrow('ENOENT')
  })

  test('gets the signal of the call, and an abort meanwhile leaves the file alone', async () => {
    const abortController = new AbortController()
    const reason = new Error('stop')
    const fileHistory: FileHistory = {
      beforeChange: async (_, options) => {
        expect(options?.signal).toBe(abortController.signal)
        abortController.abort(reason)
        return async () => {}
      },
    }
    await using session = await openSession({ context: { fileHistory, abortController } })
    await expect(session.write('f', 'a')).rejects.toBe(reason)
    await expect(readFile(session.path('f'))).rejects.toThrow('ENOENT')
  })

  test('cannot make a change that was made look like a failure', async () => {
    const fileHistory: FileHistory = {
      beforeChange: async () => () => Promise.reject(new Error('broken promise')),
    }
    await using session = await openWith(fileHistory)
    await expect(session.write('f', 'a')).resolves.toBeDefined()
    await expect(session.edit('f', 'a', 'b')).resolves.toBeDefined()
  })
})
