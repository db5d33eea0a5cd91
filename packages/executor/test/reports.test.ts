import { expect, test } from 'vitest'
import { type DebugRecord, formatDebugRecord } from '../src/index.ts'
import { makeTool, safe, slowTool, stage, use } from './harness.ts'

test('the debug log shows each change of a state, with safe or not and what runs beside it', async () => {
  const records: DebugRecord[] = []
  const { add, play } = stage(
    (clock, log) => [slowTool('Read', { clock, log }, safe), slowTool('Edit', { clock, log })],
    { debug: (record) => records.push(record) },
  )
  add(use('Read', { ms: 20 }, 'a'), use('Read', { ms: 10 }, 'b'), use('Edit', {}, 'c'), use('Nope', {}, 'd'))
  await play()
  expect(records.map(formatDebugRecord)).toEqual([
    'Read a queued (safe)',
    'Read a executing (safe)',
    'Read b queued (safe) beside a',
    'Read b executing (safe) beside a',
    'Edit c queued (alone) beside a, b',
    'Nope d completed (alone) beside a, b: unknown-tool',
    'Read b completed (safe) beside a: ran',
    'Read a completed (safe): ran',
    'Edit c executing (alone)',
    'Edit c completed (alone): ran',
    'Read a yielded (safe)',
    'Read b yielded (safe)',
    'Edit c yielded (alone)',
    'Nope d yielded (alone)',
  ])
})

test('the user interface hears which ids run, from the beginning until their result is handed out', async () => {
  const heard: string[] = []
  const { add, play } = stage(
    (clock, log) => [slowTool('Read', { clock, log }, safe), slowTool('Edit', { clock, log })],
    { ui: { inProgress: (ids) => void heard.push([...ids].join()) } },
  )
  add(use('Read', {}, 'a'), use('Read', {}, 'b'), use('Edit', {}, 'c'))
  await play()
  expect(heard).toEqual(['a', 'a,b', 'a,b,c', 'b,c', 'c', ''])
})

test('a shared id stays until the last of its calls has left, a discard lets all go', async () => {
  const heard: number[] = []
  const ui = { inProgress: (ids: ReadonlySet<string>) => void heard.push(ids.size) }
  const shared = stage(() => [makeTool('Read', safe)], { ui })
  shared.add(use('Read', {}, 'x'), use('Read', {}, 'x'))
  await shared.play()
  expect(heard).toEqual([1, 1, 1, 0])
  const withdrawn = stage(() => [makeTool('Read', safe)], { ui })
  withdrawn.add(use('Read', {}, 'a'), use('Read', {}, 'b'))
  withdrawn.executor.discard()
  expect(heard.at(-1)).toBe(0)
})

test('the user interface hears when all that runs can be interrupted', async () => {
  const heard: string[] = []
  const { add, play, at, clock } = stage(
    (clock, log) => [
      slowTool('Sleep', { clock, log }, { ...safe, interruptBehavior: () => 'cancel' }),
      slowTool('Read', { clock, log }, safe),
    ],
    { ui: { interruptible: (all) => void heard.push(`${clock.now()} ${all}`) } },
  )
  add(use('Sleep', { ms: 50 }))
  at(10, () => add(use('Read', { ms: 20 })))
  await play()
  expect(heard).toEqual(['0 true', '10 false', '30 true', '50 false'])
})

test('a call that can be interrupted and ends does not make one beside it interruptible', async () => {
  const heard: string[] = []
  const { add, play, clock } = stage(
    (clock, log) => [
      slowTool('Sleep', { clock, log }, { ...safe, interruptBehavior: () => 'cancel' }),
      slowTool('Read', { clock, log }, safe),
    ],
    { ui: { interruptible: (all) => void heard.push(`${clock.now()} ${all}`) } },
  )
  add(use('Read', { ms: 50 }), use('Sleep', { ms: 10 }))
  await play()
  expect(heard).toEqual([])
})

test('start, progress and end pass at once, whatever holds the results back', async () => {
  const { add, play, events, at, executor } = stage((clock, log) => [
    slowTool('Read', { clock, log }, safe),
    makeTool('Tell', {
      ...safe,
      call: async (_input, _context, { onProgress }) => {
        onProgress('half')
        return { data: 'x' }
      },
    }),
  ])
  const early: string[] = []
  add(use('Read', { ms: 50 }, 'slow'), use('Tell', {}, 'quick'))
  at(10, () => {
    for (const { type, toolUseId } of executor.getCompletedResults()) early.push(`${type} ${toolUseId}`)
  })
  await play()
  expect(early).toEqual(['tool-start slow', 'tool-start quick', 'tool-progress quick', 'tool-end quick'])
  expect(events.map(({ type, toolUseId }) => `${type} ${toolUseId}`)).toEqual([
    'tool-end slow',
    'tool-result slow',
    'tool-result quick',
  ])
})

test('a consumer that waits is woken by progress, and a second consumer is refused', async () => {
  const gate = Promise.withResolvers<void>()
  const { executor, add } = stage(() => [
    makeTool('Tell', {
      call: async (_input, _context, { onProgress }) => {
        await gate.promise
        onProgress('woken')
        return new Promise(() => undefined)
      },
    }),
  ])
  add(use('Tell'))
  const events = executor.getRemainingResults()[Symbol.asyncIterator]()
  expect((await events.next()).value).toMatchObject({ type: 'tool-start' })
  const next = events.next()
  await expect(executor.getRemainingResults()[Symbol.asyncIterator]().next()).rejects.toThrow(TypeError)
  gate.resolve()
  expect((await next).value).toMatchObject({ type: 'tool-progress', data: 'woken', dropped: 0 })
  const last = events.next()
  executor.discard()
  expect((await last).done).toBe(true)
})
