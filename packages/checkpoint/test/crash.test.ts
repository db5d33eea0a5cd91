import { type Checkpoints, createCheckpoints, type RewindOutcome } from '@x/checkpoint'
import { describe, expect, test } from 'vitest'
import { dieAt, failAt, type Moment } from './failing-operations.ts'
import { createMemoryFiles, type MemoryFiles } from './memory-files.ts'
import { changeByTool } from './tool.ts'

const FOLDER = '/state/history'
const START: ReadonlyMap<string, string> = new Map([
  ['/p/a', 'a0\n'],
  ['/p/b', 'b0\n'],
])
/** Every content that a file may ever hold as a whole. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  '/p/a': ['a0\n', 'a1\n', 'a2\n'],
  '/p/b': ['b0\n', 'b1\n', 'user\n'],
  '/p/new/c': ['c1\n'],
}

function startDisk(): MemoryFiles {
  const disk = createMemoryFiles()
  for (const [path, text] of START) disk.put(path, text)
  return disk
}

/** Prompts, changes by tools, one by the user, rewinds. Stops where the process dies. */
async function live(disk: MemoryFiles, checkpoints: Checkpoints, isDead: () => boolean): Promise<void> {
  const steps: readonly (() => Promise<unknown>)[] = [
    () => checkpoints.begin('m1'),
    () => changeByTool(disk, checkpoints, ['/p/a', 'a1\n']),
    () => changeByTool(disk, checkpoints, ['/p/new/c', 'c1\n']),
    () => checkpoints.begin('m2'),
    () => changeByTool(disk, checkpoints, ['/p/a', 'a2\n']),
    () => checkpoints.rewind('m2'),
    () => checkpoints.begin('m3'),
    () => changeByTool(disk, checkpoints, ['/p/b', 'b1\n']),
    async () => disk.put('/p/b', 'user\n'),
    () => checkpoints.rewind('m1', { overwriteUserChanges: true }),
    () => checkpoints.begin('m4'),
    () => changeByTool(disk, checkpoints, ['/p/a', 'a1\n']),
    () => checkpoints.rewind('m1'),
  ]
  for (const step of steps) {
    if (isDead()) return
    await step()
  }
}

/** A tool of a dead process writes nothing: the disk it sees is no longer there. */
function mortalDisk(disk: MemoryFiles, isDead: () => boolean): MemoryFiles {
  return { ...disk, put: (path, text) => (isDead() ? undefined : disk.put(path, text)) }
}

async function countSteps(): Promise<number> {
  const disk = startDisk()
  const mortal = dieAt(disk.operations, Number.POSITIVE_INFINITY, 'before')
  await live(disk, createCheckpoints({ folder: FOLDER, operations: mortal.operations }), mortal.isDead)
  expect(disk.below('/p')).toEqual(START)
  return mortal.steps()
}

function expectWhole(disk: MemoryFiles): void {
  for (const [path, text] of disk.below('/p')) expect(WHOLE[path] ?? []).toContain(text)
}

const paths = (files: readonly { readonly path: string }[]): string[] => files.map(({ path }) => path)

function reportOf(outcome: RewindOutcome): Exclude<RewindOutcome, { type: 'unknown-message' }> {
  if (outcome.type === 'unknown-message') throw new Error('the message must be known')
  return outcome
}

/** What the user had written stands in the file or in a copy, and a restart does not take the copy for waste. */
async function expectUserContent(disk: MemoryFiles): Promise<void> {
  await createCheckpoints({ folder: FOLDER, operations: disk.operations }).begin('later')
  const texts = [...disk.below('/p').values(), ...disk.below(`${FOLDER}/copies`).values()]
  expect(texts).toContain('user\n')
}

/** What is written behind the traces of a death is read again. */
async function expectGoesOn(disk: MemoryFiles, checkpoints: Checkpoints): Promise<void> {
  await checkpoints.begin('later')
  await changeByTool(disk, checkpoints, ['/p/a', 'later\n'])
  const { operations } = disk
  const outcome = await createCheckpoints({ folder: FOLDER, operations }).rewind('later')
  expect(paths(reportOf(outcome).changed)).toEqual(['/p/a'])
}

describe('a process that dies', async () => {
  const total = await countSteps()
  const moments: readonly Moment[] = ['before', 'after', 'torn']

  test.each(moments)('%s any step leaves whole files, a store that loads, and a way back', async (moment) => {
    expect(total).toBeGreaterThan(100)
    for (let deadly = 0; deadly < total; deadly++) {
      const disk = startDisk()
      const { operations, isDead } = dieAt(disk.operations, deadly, moment)
      const dying = createCheckpoints({ folder: FOLDER, operations })
      await live(mortalDisk(disk, isDead), dying, isDead).catch(() => {})
      expect(isDead()).toBe(true)

      const problems: unknown[] = []
      const next = createCheckpoints({
        folder: FOLDER,
        operations: disk.operations,
        onProblem: (problem) => problems.push(problem),
      })
      await next.load()
      expectWhole(disk)
      expect([...disk.below(FOLDER).keys()].filter((path) => path.endsWith('.tmp'))).toEqual([])
      if ((await next.list()).length === 0) {
        expect(disk.below('/p')).toEqual(START)
        continue
      }
      const user = disk.text('/p/b') === 'user\n'
      const first = reportOf(await next.rewind('m1'))
      expect([first.type, first.failed, first.skipped, paths(first.conflicts)]).toEqual([
        'rewound',
        [],
        [],
        user ? ['/p/b'] : [],
      ])
      if (user) expect(disk.text('/p/b')).toBe('user\n')
      const second = reportOf(await next.rewind('m1', { overwriteUserChanges: true }))
      for (const { keptAs = '' } of second.changed) expect(disk.text(keptAs)).toBe('user\n')
      expect(disk.below('/p')).toEqual(START)
      expect([...disk.folders]).not.toContain('/p/new')
      expect(problems).toEqual([])
      await expectGoesOn(disk, next)
    }
  })

  test('while it overwrites what the user has changed leaves that in the file or in a copy', async () => {
    for (let deadly = 0; deadly < total; deadly++) {
      const disk = startDisk()
      const { operations, isDead } = dieAt(disk.operations, deadly, 'after')
      const dying = createCheckpoints({ folder: FOLDER, operations })
      let hadUser = false
      const watching: MemoryFiles = {
        ...mortalDisk(disk, isDead),
        put: (path, text) => {
          if (isDead()) return
          disk.put(path, text)
          if (text === 'user\n') hadUser = true
        },
      }
      await live(watching, dying, isDead).catch(() => {})
      if (hadUser) await expectUserContent(disk)
    }
  })

  test('in the middle of a rewind has done a part of it, and the next rewind does the rest', async () => {
    const names = ['/p/b', '/p/a', '/p/new/c']
    const done = new Set<number>()
    for (let deadly = 0, isOver = false; !isOver; deadly++) {
      const disk = startDisk()
      const whole = createCheckpoints({ folder: FOLDER, operations: disk.operations })
      await whole.begin('m1')
      for (const path of names) await changeByTool(disk, whole, [path, 'x\n'])
      const { operations, isDead } = dieAt(disk.operations, deadly, 'after')
      const dying = createCheckpoints({ folder: FOLDER, operations })
      await dying.rewind('m1').catch(() => {})
      isOver = !isDead()
      const remaining = names.filter((path) => disk.text(path) !== START.get(path))
      done.add(names.length - remaining.length)

      const next = createCheckpoints({ folder: FOLDER, operations: disk.operations })
      const report = reportOf(await next.rewind('m1'))
      expect([paths(report.changed), report.conflicts]).toEqual([remaining, []])
      expect(disk.below('/p')).toEqual(START)
      expect([...disk.folders]).not.toContain('/p/new')
    }
    expect([...done]).toEqual([0, 1, 2, 3])
  })
})

describe('an operation that fails', async () => {
  const total = await countSteps()

  test('never stops a tool, never tears a file, and is reported where it costs the way back', async () => {
    for (let failing = 0; failing < total; failing++) {
      const disk = startDisk()
      const problems: unknown[] = []
      const checkpoints = createCheckpoints({
        folder: FOLDER,
        operations: failAt(disk.operations, failing),
        onProblem: (problem) => problems.push(problem),
      })
      const outcomes: RewindOutcome[] = []
      const watched: Checkpoints = {
        ...checkpoints,
        rewind: async (...args) => {
          const outcome = await checkpoints.rewind(...args)
          outcomes.push(outcome)
          return outcome
        },
      }
      await live(disk, watched, () => false)
      expectWhole(disk)
      await expectUserContent(disk)
      if (problems.length > 0) continue
      // Nothing was reported: then another try does what a failed one has named, if there was one.
      const named = outcomes.flatMap((outcome) => paths(reportOf(outcome).failed))
      await checkpoints.rewind('m1', { overwriteUserChanges: true })
      expect([named, disk.below('/p')]).toEqual([named, START])
    }
  })
})
