import { type Checkpoints, createCheckpoints, type RewindOutcome } from '@x/checkpoint'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryFiles, type MemoryFiles } from './memory-files.ts'
import { changeByTool } from './tool.ts'

const PATHS = ['/p/a', '/p/b', '/p/d/c', '/p/d/e/f']
const RUNS = 400 * Number(process.env['FC_RUNS'] ?? 1)

type Content = string | undefined
type Step =
  | { readonly type: 'prompt' | 'restart' }
  | { readonly type: 'tool' | 'user'; readonly path: string; readonly content: Content }
  | { readonly type: 'rewind'; readonly back: number; readonly overwriteUserChanges: boolean }

/** One change by a tool or a rewind, in a world that knows everything. */
interface Change {
  readonly path: string
  readonly message: number
  readonly before: Content
  readonly after: Content
  /** A rewind: the message it went back to. */
  readonly to?: number
}

const content = fc.option(fc.constantFrom('', 'a\n', 'b\n', 'c\nd\n', 'a\nb', '\0'), { nil: undefined })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('prompt') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restart') }) },
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('tool'), path: fc.constantFrom(...PATHS), content }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('user'), path: fc.constantFrom(...PATHS), content }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('rewind'),
      back: fc.nat(5),
      overwriteUserChanges: fc.boolean(),
    }),
  },
)

/** What has to become of each file when the message is rewound to. */
function expectRewind(
  changes: readonly Change[],
  message: number,
  disk: MemoryFiles,
): ReadonlyMap<string, Expected> {
  const expected = new Map<string, Expected>()
  for (const path of PATHS) {
    const since = changes.filter((change) => change.path === path && change.message >= message)
    const [first] = since
    const now = disk.text(path)
    if (first === undefined || now === first.before) continue
    expected.set(path, {
      target: first.before,
      isConflict: now !== undefined && isTouched(since, message, now),
    })
  }
  return expected
}

interface Expected {
  readonly target: Content
  readonly isConflict: boolean
}

/** Somebody else was at it: what is found is not what the change before had left. */
function isTouched(since: readonly Change[], message: number, now: Content): boolean {
  let isTouched = false
  for (const [index, change] of since.entries()) {
    if (index > 0 && change.before !== since[index - 1]?.after) isTouched = true
    if (change.to !== undefined && change.to <= message) isTouched = false
  }
  return isTouched || now !== since.at(-1)?.after
}

class World {
  readonly disk = createMemoryFiles()
  readonly changes: Change[] = []
  readonly maxCheckpoints: number
  readonly problems: unknown[] = []
  checkpoints: Checkpoints
  message = -1

  constructor(maxCheckpoints: number) {
    this.maxCheckpoints = maxCheckpoints
    this.checkpoints = this.open()
  }

  open(): Checkpoints {
    const { maxCheckpoints, problems } = this
    const { operations } = this.disk
    return createCheckpoints({
      folder: '/state/history',
      maxCheckpoints,
      operations,
      onProblem: (problem) => problems.push(problem),
    })
  }

  async do(step: Step): Promise<void> {
    switch (step.type) {
      case 'prompt':
        return await this.checkpoints.begin(`m${++this.message}`)
      case 'restart':
        this.checkpoints = this.open()
        return
      case 'user':
        return this.disk.put(step.path, step.content)
      case 'tool':
        return await this.changeByTool(step.path, step.content)
      case 'rewind':
        return await this.rewind(this.message - step.back, step.overwriteUserChanges)
    }
  }

  async changeByTool(path: string, after: Content): Promise<void> {
    const before = this.disk.text(path)
    await changeByTool(this.disk, this.checkpoints, [path, after])
    if (this.message >= 0) this.changes.push({ path, message: this.message, before, after })
  }

  async rewind(to: number, overwriteUserChanges: boolean): Promise<void> {
    const { checkpoints, disk } = this
    if (to < 0 || to <= this.message - this.maxCheckpoints) {
      expect(await checkpoints.rewind(`m${to}`)).toEqual({ type: 'unknown-message', messageId: `m${to}` })
      return
    }
    const before = disk.below('/p')
    const expected = expectRewind(this.changes, to, disk)
    const plan = await checkpoints.diff(`m${to}`, { overwriteUserChanges })
    expect(disk.below('/p')).toEqual(before)
    const outcome = await checkpoints.rewind(`m${to}`, { overwriteUserChanges })

    expect(withoutCopies(outcome)).toEqual({ ...plan, type: 'rewound' })
    const isDone = ({ isConflict }: Expected): boolean => overwriteUserChanges || !isConflict
    const done = [...expected].filter(([, file]) => isDone(file))
    const after = new Map(before)
    for (const [path, { target }] of done) {
      if (target === undefined) after.delete(path)
      else after.set(path, target)
    }
    expect(disk.below('/p')).toEqual(after)
    expect(named(outcome)).toEqual({
      changed: done.map(([path]) => path).toSorted(),
      conflicts: [...expected].flatMap(([path, file]) => (isDone(file) ? [] : [path])).toSorted(),
    })
    expectCopies(outcome, { disk, before })
    for (const [path, { target }] of done) {
      this.changes.push({ path, message: this.message, before: before.get(path), after: target, to })
    }
  }
}

function withoutCopies(outcome: RewindOutcome): RewindOutcome {
  if (outcome.type === 'unknown-message') return outcome
  const changed = outcome.changed.map((file) => {
    const { path, action, hasUserChanges, isBinary, insertions, deletions } = file
    return { path, action, hasUserChanges, isBinary, insertions, deletions }
  })
  return { ...outcome, changed }
}

function named(outcome: RewindOutcome): { readonly changed: string[]; readonly conflicts: string[] } {
  if (outcome.type === 'unknown-message') throw new Error('the message must be known')
  const paths = (files: readonly { readonly path: string }[]): string[] =>
    files.map(({ path }) => path).toSorted()
  return { changed: paths(outcome.changed), conflicts: paths(outcome.conflicts) }
}

/** Whatever of the user's was overwritten stands in a copy. */
function expectCopies(
  outcome: RewindOutcome,
  { disk, before }: { readonly disk: MemoryFiles; readonly before: ReadonlyMap<string, string> },
): void {
  if (outcome.type === 'unknown-message') return
  for (const { path, hasUserChanges, keptAs } of outcome.changed) {
    expect(keptAs !== undefined).toBe(hasUserChanges)
    if (keptAs !== undefined) expect(disk.text(keptAs)).toBe(before.get(path))
  }
}

test('a rewind brings back every file that only tools have changed, and names and spares every other one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40, size: 'max' }),
      fc.constantFrom(2, 3, 100),
      async (steps, maxCheckpoints) => {
        const world = new World(maxCheckpoints)
        for (const next of steps) await world.do(next)
        expect(world.problems).toEqual([])
      },
    ),
    { numRuns: RUNS },
  )
})
