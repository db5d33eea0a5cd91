import { createCheckpoints } from '@x/checkpoint'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { wrapEach } from './failing-operations.ts'
import { createMemoryFiles, type MemoryFiles } from './memory-files.ts'

const RUNS = 300 * Number(process.env['FC_RUNS'] ?? 1)

const START = new Map([
  ['/p/a', 'a0'],
  ['/p/b', 'b0'],
])

interface Write {
  readonly path: string
  readonly text: string
}

/** Each agent writes one file after the other. */
const agents = fc.array(
  fc.array(
    fc.record({ path: fc.constantFrom('/p/a', '/p/b', '/p/new'), text: fc.constantFrom('x', 'y', 'z') }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  { minLength: 2, maxLength: 4 },
)

/** Every operation, and every write of an agent, waits until the scheduler lets it go on. */
async function runAgents(
  scheduler: fc.Scheduler,
  plans: readonly (readonly Write[])[],
  takeTurns: (path: string, work: () => Promise<void>) => Promise<void>,
): Promise<MemoryFiles> {
  const disk = createMemoryFiles()
  for (const [path, text] of START) disk.put(path, text)
  const operations = wrapEach(disk.operations, async (work) => {
    await scheduler.schedule(Promise.resolve(), 'operation')
    return await work()
  })
  const checkpoints = createCheckpoints({ folder: '/state', operations })
  const write = async ({ path, text }: Write): Promise<void> => {
    const file = disk.files.get(path)
    const before = file && { bytes: file.bytes, mode: file.mode }
    const noteWritten = await checkpoints.fileHistory.beforeChange({
      path,
      before,
      after: [Buffer.from(text)],
    })
    await scheduler.schedule(Promise.resolve(), 'write')
    disk.put(path, text)
    await noteWritten()
  }
  const run = async (writes: readonly Write[]): Promise<void> => {
    for (const one of writes) await takeTurns(one.path, () => write(one))
  }
  await scheduler.waitFor(Promise.all([checkpoints.begin('m1'), ...plans.map(run)]))
  return disk
}

test('parallel agents that take turns leave no conflict, and every file comes back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), agents, async (scheduler, plans) => {
      const tails = new Map<string, Promise<void>>()
      const takeTurns = (path: string, work: () => Promise<void>): Promise<void> => {
        const own = (tails.get(path) ?? Promise.resolve()).then(work)
        tails.set(path, own)
        return own
      }
      const disk = await runAgents(scheduler, plans, takeTurns)
      const outcome = await createCheckpoints({ folder: '/state', operations: disk.operations }).rewind('m1')
      expect(outcome).toMatchObject({ type: 'rewound', conflicts: [], skipped: [] })
      expect(disk.below('/p')).toEqual(START)
    }),
    { numRuns: RUNS },
  )
})

test('parallel agents that do not take turns lose no first content; what may be somebody else’s is named', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), agents, async (scheduler, plans) => {
      const disk = await runAgents(scheduler, plans, (_, work) => work())
      const before = disk.below('/p')
      const checkpoints = createCheckpoints({ folder: '/state', operations: disk.operations })
      const outcome = await checkpoints.rewind('m1')
      if (outcome.type === 'unknown-message') throw new Error('the message must be known')
      const conflicts = new Set(outcome.conflicts.map(({ path }) => path))
      const names = new Set([...START.keys(), ...before.keys()])
      for (const path of names)
        expect([path, disk.text(path)]).toEqual([
          path,
          conflicts.has(path) ? before.get(path) : START.get(path),
        ])
      await checkpoints.rewind('m1', { overwriteUserChanges: true })
      expect(disk.below('/p')).toEqual(START)
    }),
    { numRuns: RUNS },
  )
})
