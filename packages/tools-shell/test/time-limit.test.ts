import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createSession, fakeRegistry, temporaryFolder } from './harness.ts'
import { countIn, isRunning } from './process-count.ts'

test.concurrent('SH-01: with background off, job-control children end with the timed-out command', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path, { tasks: fakeRegistry(), allowsBackground: false })
  const result = await call({
    command: 'for i in 1 2 3; do sleep 300 & echo $!; done; sleep 600',
    timeout: 2000,
  })
  const [code, ...lines] = result.text.split('\n')
  expect(code).toBe('Exit code 143')
  expect(lines.at(-1)).toBe('Command timed out after 2s')
  const pids = lines.slice(0, -1).map(Number)
  expect(pids).toHaveLength(3)
  expect(pids.filter(isRunning)).toEqual([])
})

test.concurrent('SH-01: with background on, the command goes on as a task that stops as a whole', async () => {
  using folder = temporaryFolder()
  const tasks = fakeRegistry()
  const { text } = createSession(folder.path, { tasks })
  const result = await text('for i in 1 2 3; do sleep 300 & echo $!; done; sleep 600', { timeout: 2000 })
  expect(result).toMatch(
    /^\d+\n\d+\n\d+\nCommand did not complete within its 2s timeout and was moved to the background with ID: bash_1\. /,
  )
  expect(countIn(folder.path)).toBeGreaterThan(3)
  await tasks.tasks[0]?.stop()
  expect(countIn(folder.path)).toBe(0)
})

test.concurrent('SH-02: a writer on a named pipe holds nothing up and does not survive', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  const command = 'mkfifo p; (while :; do echo tick; sleep 0.1; done) > p & cat p'
  const { data } = await call({ command, timeout: 2000 })
  expect(data).toMatchObject({ exitCode: 143, timedOutAfterMs: 2000 })
  expect(data.stdout).toMatch(/^(tick\n)+$/)
  expect(countIn(folder.path)).toBe(0)
})

test.concurrent('SH-03: a timeout reaches neither the host nor a neighbour', async () => {
  using folder = temporaryFolder()
  const heard: string[] = []
  const listeners = (['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map((name) => {
    const listener = (): void => void heard.push(name)
    process.on(name, listener)
    return () => process.off(name, listener)
  })
  const tasks = fakeRegistry()
  const { call, text } = createSession(folder.path, { tasks })
  await call({ command: 'sleep 300', run_in_background: true })
  await call({ command: 'sleep 200', timeout: 100 })
  expect(heard).toEqual([])
  expect(tasks.ends).toEqual([])
  expect(await text('echo next')).toBe('next')
  await tasks.stopAll()
  for (const off of listeners) off()
})

test.concurrent('SH-17: the output so far is kept', async () => {
  using folder = temporaryFolder()
  const { text } = createSession(folder.path, { tasks: fakeRegistry() })
  const killed = await text('sleep 0; echo MARK-OUT; echo MARK-ERR >&2; sleep 300', { timeout: 2000 })
  expect(killed).toBe('Exit code 143\nMARK-OUT\nMARK-ERR\nCommand timed out after 2s')
})

test.concurrent('SH-17: the output so far is kept where the command goes on', async () => {
  using folder = temporaryFolder()
  const tasks = fakeRegistry()
  const { call } = createSession(folder.path, { tasks })
  const { data } = await call({ command: 'echo MARK-OUT; echo MARK-ERR >&2; sleep 300', timeout: 2000 })
  expect(data).toMatchObject({
    stdout: 'MARK-OUT\nMARK-ERR\n',
    timedOutAfterMs: 2000,
    backgroundTaskId: 'bash_1',
  })
  await tasks.stopAll()
})

test.concurrent('SH-18: a pipe to tee keeps the limit', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  const { data } = await call({ command: 'sleep 600 2>&1 | tee -a log', timeout: 150 })
  expect(data.exitCode).toBe(143)
  expect(countIn(folder.path)).toBe(0)
})

test.concurrent('SH-19: what goes on is said, with the id that stops it', async ({ expect }) => {
  using folder = temporaryFolder()
  const tasks = fakeRegistry()
  const { call } = createSession(folder.path, { tasks })
  const command = 'for i in 1 2 3 4 5 6 7 8 9; do date >> beat; sleep 0.2; done; sleep 300'
  const { data } = await call({ command, timeout: 1000 })
  expect(data.backgroundTaskId).toBe('bash_1')
  const beats = (): number => readFileSync(folder.file('beat'), 'utf8').split('\n').length
  await expect.poll(beats).toBe(10)
  await tasks.get(data.backgroundTaskId ?? '')?.task.stop()
  expect(countIn(folder.path)).toBe(0)
})

test.concurrent.each([
  ['48: starts with sleep', 'sleep 300'],
  ['49: contains git', 'true && git --version; while :; do sleep 0.05; done'],
  ['is not fully parsed', 'X=sle; "${X}ep" 30; sleep 300'],
])('a command that %s is ended, not moved', async (_what, command) => {
  using folder = temporaryFolder()
  const tasks = fakeRegistry()
  const { call } = createSession(folder.path, { tasks, defaultTimeoutMs: 150 })
  const { data, isError, text } = await call({ command })
  expect([data.exitCode, isError, tasks.tasks]).toEqual([143, true, []])
  expect(text).toMatch(/Command timed out after 0\.2s$/)
  expect(countIn(folder.path)).toBe(0)
})

test.concurrent('47 and 50: the default limit moves a server to the background, or ends it where background is off', async () => {
  using folder = temporaryFolder()
  const tasks = fakeRegistry()
  const on = createSession(folder.path, { tasks, defaultTimeoutMs: 2000 })
  const moved = await on.call({ command: 'echo up; cd /; while :; do sleep 0.05; done' })
  expect(moved.isError).toBeUndefined()
  expect(moved.contextModifier).toBeUndefined()
  expect(moved.data.stderr).toBe(
    'Command did not complete within its 2s timeout and was moved to the background with ID: bash_1. ' +
      `It goes on; its output is written to: ${tasks.tasks[0]?.outputFile}\n` +
      `Session cwd remains ${folder.path}; the command's change of directory does not carry over`,
  )
  await tasks.stopAll()
  const off = createSession(folder.path, { tasks, allowsBackground: false, defaultTimeoutMs: 2000 })
  const ended = await off.call({ command: 'echo up; while :; do sleep 0.05; done' })
  expect(ended.data).toMatchObject({ exitCode: 143, stdout: 'up\n' })
})

test.concurrent('46: a limit above the ceiling is lowered', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path, { defaultTimeoutMs: 10, maxTimeoutMs: 120 })
  const { data } = await call({ command: 'sleep 300', timeout: 9_000_000 })
  expect(data.timedOutAfterMs).toBe(120)
  const raised = createSession(folder.path, { defaultTimeoutMs: 130, maxTimeoutMs: 50 })
  expect((await raised.call({ command: 'sleep 300', timeout: 9_000_000 })).data.timedOutAfterMs).toBe(130)
})

test.concurrent('SH-22: output beyond the limit ends the command and is told', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path, { maxOutputFileBytes: 200_000 })
  const { data, text, isError } = await call({ command: 'yes' })
  expect([isError, data.exitCode, data.interrupted]).toEqual([true, 137, true])
  expect(text).toMatch(/\nThe command was ended: its output grew past the limit of 200000 bytes$/)
  expect(readFileSync(data.rawOutputPath ?? '').length).toBe(200_000)
  expect(countIn(folder.path)).toBe(0)
})

test.concurrent.for([
  ['ends by itself', (host: ChildProcess) => host.stdin?.write('end')],
  ['gets SIGINT', (host: ChildProcess) => host.kill('SIGINT')],
  ['gets SIGTERM', (host: ChildProcess) => host.kill('SIGTERM')],
] as const)(
  'SH-23: what runs behind a session ends with its host when that %s',
  async ([, end], { expect }) => {
    using folder = temporaryFolder()
    const script = fileURLToPath(new URL('./background-host.ts', import.meta.url))
    const beats = 'while :; do date >> beat; sleep 0.05; done'
    const host = spawn(process.execPath, ['--conditions=@x/source', script, folder.path, beats], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(host.stdout, 'data')
    await expect.poll(() => countIn(folder.path)).toBeGreaterThan(0)
    end(host)
    await once(host, 'exit')
    // Killed at once; the kernel may take a moment to clear them away.
    await expect.poll(() => countIn(folder.path)).toBe(0)
  },
)
