import type { CheckpointOperations } from '@x/checkpoint'
import { systemError } from './memory-files.ts'

/** When a process dies: before a step, after it, or in the middle of the bytes that it writes. */
export type Moment = 'before' | 'after' | 'torn'

/** Operations of a process that dies at one step, so that nothing after it happens. */
export interface MortalOperations {
  readonly operations: CheckpointOperations
  readonly isDead: () => boolean
  /** How many steps there have been. */
  readonly steps: () => number
}

/** A process that dies at the given step (counted from 0). */
export function dieAt(operations: CheckpointOperations, deadly: number, moment: Moment): MortalOperations {
  let steps = 0
  let isDead = false
  const guard = async <Value>(
    work: () => Promise<Value>,
    tear: () => Promise<unknown> = work,
  ): Promise<Value> => {
    if (isDead) throw new Error('dead')
    if (steps++ !== deadly) return await work()
    isDead = true
    if (moment === 'after') await work()
    if (moment === 'torn') await tear()
    throw new Error('dies')
  }
  const mortal = wrapEach(operations, (work) => guard(work))
  return {
    operations: {
      ...mortal,
      create: (path, bytes, options) =>
        guard(
          () => operations.create(path, bytes, options),
          () => operations.create(path, bytes.subarray(0, bytes.length / 2), options),
        ),
      append: (path, text) =>
        guard(
          () => operations.append(path, text),
          () => operations.append(path, text.slice(0, text.length / 2)),
        ),
    },
    isDead: () => isDead,
    steps: () => steps,
  }
}

/** Operations of which one fails once, as with a full disk; the process goes on. */
export function failAt(operations: CheckpointOperations, failing: number): CheckpointOperations {
  let steps = 0
  return wrapEach(operations, async (work) => {
    if (steps++ === failing) throw systemError('ENOSPC', 'the disk is full')
    return await work()
  })
}

type Around = <Value>(work: () => Promise<Value>) => Promise<Value>

/** Puts the same thing around each operation. */
export function wrapEach(operations: CheckpointOperations, around: Around): CheckpointOperations {
  return {
    stat: (path) => around(() => operations.stat(path)),
    realpath: (path) => around(() => operations.realpath(path)),
    read: (path) => around(() => operations.read(path)),
    create: (path, bytes, options) => around(() => operations.create(path, bytes, options)),
    append: (path, text) => around(() => operations.append(path, text)),
    rename: (from, to) => around(() => operations.rename(from, to)),
    remove: (path) => around(() => operations.remove(path)),
    list: (path) => around(() => operations.list(path)),
    makeFolder: (path, options) => around(() => operations.makeFolder(path, options)),
    removeFolder: (path) => around(() => operations.removeFolder(path)),
  }
}
