import { getEventListeners } from 'node:events'
import { type ProcessOptions, runProcess, startProcess } from '@x/process'
import { expect, test } from 'vitest'
import { marked, openDescriptors, temporaryFolder } from './helpers.ts'

/** One name for each thing that a process can leave open in its host. */
const held = (): string[] => [
  ...process.getActiveResourcesInfo().filter((name) => /Process|Pipe|FS|TTY/.test(name)),
  ...Array.from({ length: openDescriptors() }, () => 'descriptor'),
  ...Array.from({ length: process.listenerCount('exit') }, () => 'exit listener'),
]

/** What is open now and was not before. Things of the test runner come and go, and node closes what has ended a turn later. */
function newSince(before: readonly string[]): readonly string[] {
  const old = Map.groupBy(before, (name) => name)
  return held().filter((name) => old.get(name)?.pop() === undefined)
}

const runs: readonly (readonly [string, ProcessOptions])[] = [
  ['echo hi', {}],
  ['cat >/dev/null', { stdin: 'x'.repeat(100_000) }],
  ['exit 1', { output: { to: 'file', path: '/dev/null' } }],
  ['echo hi', { output: { to: 'lines', onLine: () => false } }],
  ['sleep 300', { timeoutMs: 1 }],
  ['sleep 300 & echo hi', {}],
  ['exec no-such-program', {}],
  ['echo hi', { cwd: '/nowhere/at/all' }],
  ['echo hi', { cwd: '/nowhere/at/all', output: { to: 'file', path: '/dev/null' } }],
]

const runAt = async (index: number, signal: AbortSignal): Promise<number> => {
  const [script, extra] = runs[index % runs.length] ?? ['true', {}]
  const { options, count } = marked({ settleMs: 2, killGraceMs: 20, ...extra, signal })
  await runProcess('sh', ['-c', script], options)
  return count()
}

test('200 processes, one after the other, leave no process, descriptor, handle or listener', async () => {
  const controller = new AbortController()
  await runAt(0, controller.signal)
  const before = held()
  let left = 0
  for (let index = 0; index < 200; index += 1) left += await runAt(index, controller.signal)
  expect(left).toBe(0)
  expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  await expect.poll(() => newSince(before)).toEqual([])
})

test('50 processes at once leave nothing either', async () => {
  const controllers = Array.from({ length: 50 }, () => new AbortController())
  const before = held()
  const left = await Promise.all(controllers.map(({ signal }, index) => runAt(index, signal)))
  expect(left.every((count) => count === 0)).toBe(true)
  expect(controllers.flatMap(({ signal }) => getEventListeners(signal, 'abort'))).toEqual([])
  await expect.poll(() => newSince(before)).toEqual([])
})

test('one abort ends 50 processes', async () => {
  const controller = new AbortController()
  const { options, count } = marked({ signal: controller.signal })
  const children = Array.from({ length: 50 }, () => startProcess('sleep', ['300'], options))
  expect(count()).toBe(50)
  controller.abort()
  const exits = await Promise.all(children.map(({ exited }) => exited))
  expect(exits.every(({ kind }) => kind === 'aborted')).toBe(true)
  expect(count()).toBe(0)
})

test('listens to the exit of the host only while something lives', async () => {
  using folder = temporaryFolder()
  const before = process.listenerCount('exit')
  const child = startProcess('sleep', ['300'], { cwd: folder.path })
  const other = startProcess('sleep', ['300'])
  expect(process.listenerCount('exit')).toBe(before + 1)
  await Promise.all([child.kill(), other.kill()])
  expect(process.listenerCount('exit')).toBe(before)

  const keeping = startProcess('sh', ['-c', 'sleep 300 & true'], { leftovers: 'keep', settleMs: 2 })
  await keeping.exited
  expect(process.listenerCount('exit')).toBe(before + 1)
  await keeping.kill()
  expect(process.listenerCount('exit')).toBe(before)
})
