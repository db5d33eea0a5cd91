import { runProcess, startProcess } from '@x/process'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRunning, marked } from './helpers.ts'

/** Commands that do their best to outlive the call. Each says `ready` when it has begun. */
const lasting: Record<string, string> = {
  'plain children': 'sleep 300 & sleep 300 & echo ready; wait',
  'job-control children (SH-01)': 'set -m; for i in 1 2 3; do sleep 300 & done; echo ready; sleep 600',
  nohup: 'nohup sleep 300 >/dev/null 2>&1 & echo ready; sleep 300',
  'double fork': '( ( sleep 300 & ) & ); echo ready; sleep 300',
  'ignored TERM': 'trap "" TERM; sleep 300 & echo ready; sleep 300',
  setsid: 'setsid sleep 300 & echo ready; sleep 300',
  'setsid with ignored TERM, forked twice': `( setsid sh -c 'trap "" TERM; sleep 300 & sleep 300' & ); echo ready; sleep 300`,
  disown: 'sleep 300 & disown; echo ready; sleep 300',
  'closed input': 'exec <&-; sleep 300 & echo ready; sleep 300',
  'a flood': 'echo ready; yes & yes',
  'a daemon': `perl -MPOSIX -e 'exit if fork; setsid; exit if fork; close STDOUT; sleep 300' & echo ready; sleep 300`,
  'a stopped process': 'sleep 300 & kill -STOP $!; echo ready; kill -STOP $$',
  'a forker that leaves its sessions': 'echo ready; while :; do setsid sleep 300 & sleep 0.01; done',
  'a fork on TERM': `trap 'setsid sleep 300 & exit' TERM; echo ready; while :; do sleep 0.01; done`,
}

/** Commands whose main process ends at once and leaves something behind. */
const leaving: Record<string, string> = {
  'a child': 'sleep 300 & echo ready',
  'a child of a killed shell': 'sleep 300 & echo ready; kill -9 $$',
  'a daemon on the pipe': 'setsid nohup sleep 300 & echo ready',
  'a child that goes on writing': '(while :; do echo more; sleep 0.005; done) & echo ready; exit 3',
  'a child that ignores TERM': `(trap '' TERM; while :; do sleep 0.01; done) & echo ready`,
  'a job-control child': 'set -m; sleep 300 & disown; echo ready',
}

describe('kill ends the whole tree:', () => {
  test.concurrent.for(Object.entries(lasting))('%s', async ([, script], { expect }) => {
    const { options, count } = marked()
    const child = startProcess('bash', ['-c', script], options)
    await expect.poll(() => child.captured().stdout.text).toMatch(/^ready/)
    await child.kill('enough')
    expect(await child.exited).toMatchObject({ kind: 'killed', reason: 'enough', leftovers: { kept: [] } })
    expect(count()).toBe(0)
  })

  test.concurrent('a child in a new session with an empty environment, while its parent lives', async ({
    expect,
  }) => {
    const child = startProcess('bash', ['-c', 'env -i setsid sleep 300 & echo $!; sleep 300'], {
      killGraceMs: 60,
    })
    await expect.poll(() => child.captured().stdout.text).not.toBe('')
    const pid = Number(child.captured().stdout.text)
    expect(isRunning(pid)).toBe(true)
    await child.kill()
    expect(isRunning(pid)).toBe(false)
  })
})

describe('what is left after the exit is ended and reported:', () => {
  test.concurrent.each(Object.entries(leaving))('%s', async (_name, script) => {
    const { options, count } = marked()
    const { exit, stdout } = await runProcess('bash', ['-c', script], options)
    expect(stdout.text).toMatch(/^ready$/m)
    expect(exit.kind).toMatch(/^(exited|signalled)$/)
    expect(exit.leftovers.ended).toBeGreaterThan(0)
    expect(exit.leftovers.kept).toEqual([])
    expect(count()).toBe(0)
  })
})

test('a job of the shell with an empty environment does not outlive it', async () => {
  const { exit, stdout } = await runProcess('bash', ['-c', 'set -m; env -i sleep 300 & echo $!'], {
    settleMs: 30,
  })
  expect(exit.leftovers).toEqual({ ended: 1, kept: [] })
  expect(isRunning(Number(stdout.text))).toBe(false)
})

test('every process gets TERM exactly once', async () => {
  // Each stays for a while after the first TERM, so that a second one would be told too.
  const linger = 'for i in 1 2 3 4 5 6 7 8 9; do sleep 0.02; done'
  const counting = `trap 'echo TERM; told=1' TERM; echo ready; until [ -n "$told" ]; do sleep 0.02; done; ${linger}`
  const script = `setsid bash -c "$0" & bash -c "$0" & trap '' TERM; wait`
  const child = startProcess('bash', ['-c', script, counting], { killGraceMs: 60_000 })
  await expect.poll(() => child.captured().stdout.text).toBe('ready\nready\n')
  await child.kill()
  expect(child.captured().stdout.text).toBe('ready\nready\nTERM\nTERM\n')
})

test('the host and its neighbours get no signal (SH-03)', async () => {
  await using neighbour = startProcess('sleep', ['300'])
  const signals: string[] = []
  const note = (name: string): void => void signals.push(name)
  const names = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  for (const name of names) process.on(name, note)
  const { exit } = await runProcess('sh', ['-c', 'sleep 200 & sleep 200'], { timeoutMs: 50 })
  for (const name of names) process.off(name, note)
  expect(exit.kind).toBe('timed-out')
  expect(signals).toEqual([])
  expect(isRunning(neighbour.pid ?? 0)).toBe(true)
  expect((await runProcess('true')).exit).toMatchObject({ kind: 'exited', code: 0 })
})

test('whatever is run and however it ends, nothing is left', async () => {
  const anyCommand = fc.constantFrom(
    ...Object.values(lasting),
    ...Object.values(leaving),
    'exit 5',
    'exec nothing',
  )
  const anyEnd = fc.record({
    how: fc.constantFrom('kill', 'abort', 'timeout', 'both'),
    afterMs: fc.integer({ min: 0, max: 40 }),
  })
  const anyOutput = fc.constantFrom({ to: 'memory', maxBytes: 100 }, { to: 'lines', onLine: () => {} }, {
    to: 'file',
    path: '/dev/null',
  } as const)
  const calls = fc.array(fc.tuple(anyCommand, anyEnd, anyOutput), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(calls, async (calls) => {
      await Promise.all(calls.map(runAndEnd))
    }),
    { numRuns: 15, endOnFailure: true },
  )
})

async function runAndEnd([script, { how, afterMs }, output]: readonly [
  string,
  { how: string; afterMs: number },
  NonNullable<Parameters<typeof runProcess>[2]>['output'],
]): Promise<void> {
  const controller = new AbortController()
  const timeout = how === 'timeout' ? { timeoutMs: afterMs + 1 } : {}
  const { options, count } = marked({ signal: controller.signal, ...(output && { output }), ...timeout })
  const child = startProcess('bash', ['-c', script], options)
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  if (how === 'abort' || how === 'both') controller.abort()
  if (how === 'kill' || how === 'both') void child.kill()
  const exit = await child.exited
  expect(exit.leftovers.kept).toEqual([])
  expect(count()).toBe(0)
}
