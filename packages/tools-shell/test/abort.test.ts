import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSession, fakeRegistry, temporaryFolder } from './harness.ts'
import { countIn } from './process-count.ts'

test('a call aborted before it begins starts nothing and rejects with the reason', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  const reason = { why: 'stop' }
  await expect(call({ command: 'touch f' }, abortedWith(reason))).rejects.toBe(reason)
  expect(readdirSync(folder.path)).toEqual([])
})

test('an abort ends the tree, rejects with the reason and leaves no file, listener or process', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  const controller = new AbortController()
  const reason = { why: 'stop' }
  const running = call({ command: 'echo a; trap "" TERM; (setsid sleep 600 &) ; sleep 600' }, controller)
  await expect.poll(() => countIn(folder.path)).toBeGreaterThan(1)
  controller.abort(reason)
  await expect(running).rejects.toBe(reason)
  expect(countIn(folder.path)).toBe(0)
  expect(readdirSync(folder.file('.out'))).toEqual([])
})

test('an abort while the start-up file is read does not wait for it', async () => {
  using folder = temporaryFolder()
  mkdirSync(folder.file('home'))
  writeFileSync(folder.file('home/.bashrc'), 'sleep 600\n')
  const { call } = createSession(folder.path, {
    usesStartupFile: true,
    startupWaitMs: 60_000,
    startupTimeoutMs: 400,
    shell: '/bin/bash',
    env: { HOME: folder.file('home'), PATH: process.env['PATH'] ?? '' },
  })
  const controller = new AbortController()
  const running = call({ command: 'touch f' }, controller)
  setTimeout(() => controller.abort('stop'), 30)
  await expect(running).rejects.toBe('stop')
  expect(readdirSync(folder.path)).not.toContain('f')
  await expect.poll(() => countIn(folder.path)).toBe(0)
})

const commands = [
  'sleep 600',
  'sleep 600 & sleep 600',
  '(sleep 600 &) ; exit 3',
  'trap "" TERM; sleep 600',
  'nohup sleep 600 >/dev/null & wait',
  'setsid sleep 600 & sleep 0.02',
  'yes | cat >/dev/null',
  'mkfifo p$$; cat p$$',
  'cd /; cd -; while :; do sleep 0.01; done',
  'exec sleep 600',
  'echo a; if',
  'false',
]

test('whatever a command does and whenever it is cut short, no process and no needless file is left', async () => {
  using folder = temporaryFolder()
  const call = fc.record({
    command: fc.constantFrom(...commands),
    timeout: fc.integer({ min: 1, max: 60 }),
    abortAfterMs: fc.option(fc.integer({ min: 0, max: 60 })),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      async (calls, hasTasks) => {
        const tasks = fakeRegistry()
        const session = createSession(folder.path, {
          killGraceMs: 10,
          settleMs: 10,
          ...(hasTasks && { tasks }),
        })
        await Promise.all(
          calls.map(async ({ command, timeout, abortAfterMs }) => {
            const controller = new AbortController()
            const timer =
              abortAfterMs === null ? undefined : setTimeout(() => controller.abort('stop'), abortAfterMs)
            const outcome = await session
              .call({ command, timeout }, controller)
              .catch((error: unknown) => error)
            clearTimeout(timer)
            if (outcome instanceof Error) throw outcome
          }),
        )
        await tasks.stopAll()
        await Promise.all(tasks.tasks.map((task) => task.ended))
        expect(countIn(folder.path)).toBe(0)
        for (const { outputFile } of tasks.tasks) rmSync(outputFile)
        expect(readdirSync(folder.file('.out'))).toEqual([])
      },
    ),
    { numRuns: 15 },
  )
})

function abortedWith(reason: unknown): AbortController {
  const controller = new AbortController()
  controller.abort(reason)
  return controller
}
