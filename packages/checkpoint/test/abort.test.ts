import { type CheckpointOperations, createCheckpoints } from '@x/checkpoint'
import { describe, expect, test } from 'vitest'
import { wrapEach } from './failing-operations.ts'
import { createMemoryFiles } from './memory-files.ts'
import { changeByTool } from './tool.ts'

const reason = new Error('stop')
const change = { path: '/p/f', before: undefined, after: [Buffer.from('x')] }

describe('an abort', () => {
  test('that came before stops a change with its reason, and records nothing', async () => {
    const { operations } = createMemoryFiles()
    const checkpoints = createCheckpoints({ folder: '/state', operations })
    await checkpoints.begin('m1')
    const signal = AbortSignal.abort(reason)
    await expect(checkpoints.fileHistory.beforeChange(change, { signal })).rejects.toBe(reason)
    expect((await checkpoints.list())[0]?.paths).toEqual([])
  })

  test('that comes while a change waits for another stops it, and the other goes on', async () => {
    const { operations } = createMemoryFiles()
    const checkpoints = createCheckpoints({ folder: '/state', operations })
    await checkpoints.begin('m1')
    const controller = new AbortController()
    const first = checkpoints.fileHistory.beforeChange({ ...change, path: '/p/first' })
    const second = checkpoints.fileHistory.beforeChange(change, controller)
    controller.abort(reason)
    await expect(second).rejects.toBe(reason)
    await (await first)()
    expect((await checkpoints.list())[0]?.paths).toEqual(['/p/first'])
  })

  test('stops a rewind between two files; it can be repeated', async () => {
    const disk = createMemoryFiles()
    const controller = new AbortController()
    const operations = wrapEach(disk.operations, async (work) => {
      if (disk.text('/p/f') === undefined) controller.abort(reason)
      return await work()
    })
    const checkpoints = createCheckpoints({ folder: '/state', operations })
    disk.put('/p/f', '0')
    await checkpoints.begin('m1')
    await changeByTool(disk, checkpoints, ['/p/made', 'x'])
    await changeByTool(disk, checkpoints, ['/p/f', '1'])
    await expect(checkpoints.rewind('m1', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(disk.below('/p').size).toBe(2)

    disk.put('/p/f', undefined)
    await expect(checkpoints.rewind('m1', controller)).rejects.toBe(reason)
    expect(disk.below('/p').size).toBe(0)
    await checkpoints.rewind('m1')
    expect(disk.below('/p')).toEqual(new Map([['/p/f', '0']]))
  })
})

describe('somebody who is quicker', () => {
  test.each([
    ['is to be restored', '0', 'create'],
    ['is to be removed', undefined, 'append'],
  ] as const)('and changes a file that %s keeps it, and it is named', async (_, start, last) => {
    const disk = createMemoryFiles()
    let isWaiting = false
    // The last thing that happens before the last look.
    const interfere = (path: string): void => {
      if (isWaiting && (last === 'append' || path.endsWith('.rewind'))) disk.put('/p/f', 'user')
    }
    const operations: CheckpointOperations = {
      ...disk.operations,
      create: (path, bytes, options) =>
        disk.operations.create(path, bytes, options).then(() => interfere(path)),
      append: (path, text) => disk.operations.append(path, text).then(() => interfere(path)),
    }
    const checkpoints = createCheckpoints({ folder: '/state', operations })
    disk.put('/p/f', start)
    await checkpoints.begin('m1')
    await changeByTool(disk, checkpoints, ['/p/f', '1'])
    isWaiting = true
    const conflict = { path: '/p/f', hasUserChanges: true }
    expect(await checkpoints.rewind('m1')).toMatchObject({
      type: 'rewound',
      changed: [],
      conflicts: [conflict],
    })
    expect(disk.below('/p')).toEqual(new Map([['/p/f', 'user']]))
    isWaiting = false
    expect(await checkpoints.rewind('m1')).toMatchObject({ conflicts: [conflict] })
  })

  test('rewinds at the same moment come one after the other', async () => {
    const disk = createMemoryFiles()
    const checkpoints = createCheckpoints({ folder: '/state', operations: disk.operations })
    disk.put('/p/f', '0')
    for (const message of ['m1', 'm2', 'm3']) {
      await checkpoints.begin(message)
      await changeByTool(disk, checkpoints, ['/p/f', message])
    }
    const outcomes = await Promise.all(['m2', 'm3', 'm1'].map((message) => checkpoints.rewind(message)))
    expect(outcomes.map((outcome) => outcome.type !== 'unknown-message' && outcome.conflicts)).toEqual([
      [],
      [],
      [],
    ])
    expect(disk.text('/p/f')).toBe('0')
  })
})
