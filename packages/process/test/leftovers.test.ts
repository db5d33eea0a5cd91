import { readFileSync, statSync } from 'node:fs'
import { runProcess, startProcess } from '@x/process'
import { expect, test } from 'vitest'
import { marked, temporaryFolder } from './helpers.ts'

test('a child started with & is ended, and the result says so (SH-05)', async () => {
  const { options, count } = marked()
  const { exit, stdout } = await runProcess('sh', ['-c', 'sleep 600 & echo started'], options)
  expect(exit).toMatchObject({ kind: 'exited', code: 0, leftovers: { ended: 1, kept: [] } })
  expect(stdout.text).toBe('started\n')
  expect(count()).toBe(0)
})

test('a helper that still has to write gets the time for it (SH-04)', async () => {
  using folder = temporaryFolder()
  const output = { to: 'file', path: folder.file('output') } as const
  const { options, count } = marked({ cwd: folder.path, output, settleMs: 60_000 })
  const { exit } = await runProcess('bash', ['-c', 'exec > >(tee -a run.log) 2>&1 && echo finished'], options)
  expect(exit).toMatchObject({ kind: 'exited', code: 0, leftovers: { ended: 0, kept: [] } })
  expect(readFileSync(folder.file('output'), 'utf8')).toBe('finished\n')
  expect(count()).toBe(0)
})

test('with keep they go on, and kill ends them later', async () => {
  const { options, count } = marked({ leftovers: 'keep', output: { to: 'file', path: '/dev/null' } })
  const child = startProcess('sh', ['-c', 'sleep 300 & setsid sleep 300 & true'], options)
  const exit = await child.exited
  expect(exit).toMatchObject({ kind: 'exited', code: 0, leftovers: { ended: 0 } })
  expect(exit.leftovers.kept).toHaveLength(2)
  expect(count()).toBe(2)
  await child.kill()
  expect(count()).toBe(0)
  await child.kill()
})

test('with keep an abort ends them all the same', async () => {
  const controller = new AbortController()
  const { options, count } = marked({ leftovers: 'keep', signal: controller.signal })
  const child = startProcess('sh', ['-c', 'sleep 300 & echo ready; sleep 300'], options)
  await expect.poll(() => child.captured().stdout.text).not.toBe('')
  controller.abort()
  expect(await child.exited).toMatchObject({ kind: 'aborted', leftovers: { ended: 2, kept: [] } })
  expect(count()).toBe(0)
})

test('an abort while they settle ends them without further waiting', async () => {
  using folder = temporaryFolder()
  const controller = new AbortController()
  const { options, count } = marked({ settleMs: 600_000, signal: controller.signal })
  const child = startProcess('sh', ['-c', 'trap "" TERM; sleep 300 & true'], { ...options, cwd: folder.path })
  await expect.poll(() => statSync(`/proc/${child.pid}`, { throwIfNoEntry: false })).toBeUndefined()
  controller.abort()
  expect(await child.exited).toMatchObject({ kind: 'exited', code: 0, leftovers: { ended: 1 } })
  expect(count()).toBe(0)
})

test('a process that got away with a clean environment is not waited for', async () => {
  const script = 'setsid env -i sleep 300 & echo $!'
  const { exit, stdout } = await runProcess('sh', ['-c', script])
  expect(exit.kind).toBe('exited')
  expect(stdout.text).toMatch(/^\d+\n$/)
  process.kill(Number(stdout.text))
})
