import { appendFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCheckpoints, type FileHistorySnapshotRecord, isCheckpointError } from '@x/checkpoint'
import { describe, expect, test } from 'vitest'
import { createMemoryFiles } from './memory-files.ts'
import { changeByTool } from './tool.ts'
import { openWorld, summaryOf, type World } from './world.ts'

const isPosix = process.platform !== 'win32'

async function openChanged(world: World): Promise<void> {
  await world.user('f', 'a')
  await world.checkpoints.begin('m1')
  await world.tool('f', 'b')
}

const idsOf = (list: readonly { readonly messageId: string }[]): string[] =>
  list.map(({ messageId }) => messageId)

describe('the list', () => {
  test('names checkpoints and their files, the oldest first, after a restart too', async () => {
    let now = 1000
    await using world = await openWorld({ clock: () => now++ })
    await world.checkpoints.begin('m1')
    await world.tool('f', 'a')
    await world.tool('g', 'a')
    await world.tool('f', 'b')
    await world.checkpoints.begin('m2')
    const expected = [
      { messageId: 'm1', timeMs: 1000, paths: [world.path('f'), world.path('g')] },
      { messageId: 'm2', timeMs: expect.any(Number), paths: [] },
    ]
    expect(await world.checkpoints.list()).toEqual(expected)
    const next = world.reopen()
    await next.load()
    expect(await next.list()).toEqual(expected)
  })

  test('a message begins once', async () => {
    await using world = await openWorld()
    await openChanged(world)
    await world.checkpoints.begin('m1')
    await world.reopen().begin('m1')
    expect(await world.reopen().list()).toHaveLength(1)
  })

  test('before the first message nothing is kept', async () => {
    await using world = await openWorld()
    await world.tool('f', 'a')
    expect([await world.checkpoints.list(), await world.copies()]).toEqual([[], []])
    expect(await world.checkpoints.rewind('m1')).toEqual({ type: 'unknown-message', messageId: 'm1' })
  })
})

describe('copies', () => {
  test('the same bytes are stored once', async () => {
    await using world = await openWorld()
    for (const name of ['f', 'g']) await world.user(name, 'same')
    for (const message of ['m1', 'm2']) {
      await world.checkpoints.begin(message)
      for (const name of ['f', 'g']) {
        await world.tool(name, 'other')
        await world.tool(name, 'same')
      }
    }
    expect(await world.copies()).toHaveLength(1)
  })

  test('only the content before the first change after a prompt is stored', async () => {
    await using world = await openWorld()
    await openChanged(world)
    for (const content of ['c', 'd', 'e']) await world.tool('f', content)
    expect(await world.copies()).toHaveLength(1)
  })

  test.runIf(isPosix)('are readable by their owner only', async () => {
    await using world = await openWorld()
    await openChanged(world)
    const [copy = ''] = await world.copies()
    const modes = await Promise.all(
      ['.', 'copies', 'index.jsonl', `copies/${copy}`].map(
        async (name) => (await stat(join(world.folder, name))).mode & 0o777,
      ),
    )
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o600])
  })

  test.each(['damaged', 'gone'])('a file whose copy is %s is named and left alone', async (kind) => {
    await using world = await openWorld()
    await openChanged(world)
    const [copy = ''] = await world.copies()
    const path = join(world.folder, 'copies', copy)
    await (kind === 'gone' ? rm(path) : writeFile(path, 'x'))
    expect(summaryOf(await world.checkpoints.rewind('m1'))).toEqual({
      skipped: [`not-kept ${world.path('f')}`],
    })
    expect(await world.text('f')).toBe('b')
  })

  test('one that a power cut has emptied is written again', async () => {
    await using world = await openWorld()
    await openChanged(world)
    const [copy = ''] = await world.copies()
    await truncate(join(world.folder, 'copies', copy))
    await world.tool('f', 'a')
    await world.checkpoints.begin('m2')
    await world.tool('f', 'c')
    await world.checkpoints.rewind('m2')
    expect(await world.text('f')).toBe('a')
  })
})

describe('the last checkpoints', () => {
  test('are kept, with the copies that they need; older ones are unknown', async () => {
    await using world = await openWorld({ maxCheckpoints: 2 })
    await world.user('f', '0')
    for (const message of ['m1', 'm2', 'm3']) {
      await world.checkpoints.begin(message)
      await world.tool('f', message)
    }
    for (const checkpoints of [world.checkpoints, world.reopen()]) {
      expect(idsOf(await checkpoints.list())).toEqual(['m2', 'm3'])
      expect(await checkpoints.rewind('m1')).toEqual({ type: 'unknown-message', messageId: 'm1' })
    }
    expect(await world.copies()).toHaveLength(2)
    await world.reopen().rewind('m2')
    expect(await world.text('f')).toBe('m1')
  })

  test('are 100 unless said otherwise, and the index does not grow beyond twice as many', async () => {
    const disk = createMemoryFiles()
    const checkpoints = createCheckpoints({ folder: '/state', operations: disk.operations })
    for (let index = 0; index < 350; index++) {
      await checkpoints.begin(`m${index}`)
      await changeByTool(disk, checkpoints, ['/p/f', `${index}`])
    }
    expect(idsOf(await checkpoints.list())).toEqual(
      Array.from({ length: 100 }, (_, index) => `m${index + 250}`),
    )
    expect(disk.below('/state/copies').size).toBe(100)
    const lines = disk.text('/state/index.jsonl')?.split('\n') ?? []
    expect(lines.filter((line) => line.includes('"checkpoint"')).length).toBeLessThanOrEqual(200)
    await createCheckpoints({ folder: '/state', operations: disk.operations }).rewind('m250')
    expect(disk.text('/p/f')).toBe('249')
  })
})

describe('a store with damage', () => {
  test('loses only the lines that are damaged', async () => {
    await using world = await openWorld()
    await openChanged(world)
    const index = join(world.folder, 'index.jsonl')
    await appendFile(index, 'rubbish\n{"type":"change","number":"x"}\n\0\n[]\n{"type":"chec')
    const next = world.reopen()
    await next.begin('m2')
    const last = world.reopen()
    expect(idsOf(await last.list())).toEqual(['m1', 'm2'])
    await last.rewind('m1')
    expect(await world.text('f')).toBe('a')
  })

  test('that cannot be read is an error for a rewind, and a problem for everything else', async () => {
    await using world = await openWorld()
    await mkdir(join(world.folder, 'index.jsonl'), { recursive: true })
    await world.checkpoints.begin('m1')
    await world.tool('f', 'a')
    expect(await world.text('f')).toBe('a')
    expect(world.problems.map(({ message, path }) => [message, path])).toEqual([
      ['The checkpoint of message m1 could not begin.', undefined],
      ['A file is changed without a checkpoint.', world.path('f')],
    ])
    const { checkpoints } = world
    for (const attempt of [
      checkpoints.load(),
      checkpoints.list(),
      checkpoints.diff('m1'),
      checkpoints.rewind('m1'),
    ]) {
      const error: unknown = await attempt.catch((error: unknown) => error)
      expect(isCheckpointError(error) && [error.code, error.path]).toEqual([
        'store-unreadable',
        join(world.folder, 'index.jsonl'),
      ])
    }
    await rm(world.folder, { recursive: true })
    await checkpoints.load()
    expect(isCheckpointError(new Error('other'))).toBe(false)
  })

  test('that cannot be written stops no tool; what had no copy is named', async () => {
    await using world = await openWorld()
    await world.user('f', 'a')
    await world.checkpoints.begin('m1')
    await writeFile(join(world.folder, 'copies'), 'in the way')
    await world.tool('f', 'b')
    expect(await world.text('f')).toBe('b')
    expect(world.problems).toMatchObject([
      { message: 'The content of a file could not be kept before it was changed.', path: world.path('f') },
    ])
    expect(summaryOf(await world.checkpoints.rewind('m1'))).toEqual({
      skipped: [`not-kept ${world.path('f')}`],
    })
  })
})

describe('the record for the transcript', () => {
  test('says when a checkpoint began, and which file was kept for it', async () => {
    const records: FileHistorySnapshotRecord[] = []
    const log = async (record: FileHistorySnapshotRecord): Promise<void> => void records.push(record)
    await using world = await openWorld({ log, clock: () => 0, maxFileBytes: 1 })
    await openChanged(world)
    await world.tool('f', 'cc')
    await world.tool('g', 'a')
    await world.checkpoints.begin('m2')
    await world.tool('f', 'd')
    const begun = { type: 'file-history-snapshot', timestamp: '1970-01-01T00:00:00.000Z', files: [] }
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(records).toEqual([
      { ...begun, messageId: 'm1' },
      { ...begun, messageId: 'm1', files: [{ path: world.path('f'), digest, isKept: true }] },
      { ...begun, messageId: 'm1', files: [{ path: world.path('g'), digest: null, isKept: true }] },
      { ...begun, messageId: 'm2' },
      { ...begun, messageId: 'm2', files: [{ path: world.path('f'), digest, isKept: false }] },
    ])
  })

  test('that cannot be written is a problem, and the checkpoint stands', async () => {
    await using world = await openWorld({ log: () => Promise.reject(new Error('closed')) })
    await openChanged(world)
    expect(world.problems.map(({ message }) => message)).toEqual([
      'A checkpoint could not be noted in the transcript.',
      'A checkpoint could not be noted in the transcript.',
    ])
    await world.checkpoints.rewind('m1')
    expect(await world.text('f')).toBe('a')
  })
})

describe('wrong options', () => {
  test.each([0, -1, 1.5, Number.NaN])('maxCheckpoints %d is refused', (maxCheckpoints) => {
    expect(() => createCheckpoints({ folder: '/state', maxCheckpoints })).toThrow(RangeError)
  })

  test.each([-1, Number.NaN])('maxFileBytes %d is refused', (maxFileBytes) => {
    expect(() => createCheckpoints({ folder: '/state', maxFileBytes })).toThrow(RangeError)
  })

  test('a message must have a name', async () => {
    await expect(createCheckpoints({ folder: '/state' }).begin('')).rejects.toThrow(TypeError)
  })

  test('making it touches nothing', async () => {
    await using world = await openWorld()
    await expect(readdir(world.folder)).rejects.toThrow('ENOENT')
    await world.checkpoints.load()
    await expect(readFile(join(world.folder, 'index.jsonl'))).rejects.toThrow('ENOENT')
  })
})
