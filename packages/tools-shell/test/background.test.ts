import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createSession, fakeRegistry, temporaryFolder } from './harness.ts'
import { countIn } from './process-count.ts'

test('run_in_background returns at once with an id and the file of its output', async () => {
  using folder = temporaryFolder()
  const tasks = fakeRegistry()
  const { call } = createSession(folder.path, { tasks })
  const result = await call({
    command: 'echo up; sleep 300',
    description: 'Start the server',
    run_in_background: true,
  })
  const [task] = tasks.tasks
  expect(task).toMatchObject({
    id: 'bash_1',
    type: 'local_bash',
    description: 'Start the server',
    command: 'echo up; sleep 300',
    toolUseId: 'toolu_1',
  })
  expect(result.text).toBe(
    `Command running in background with ID: bash_1. Its output is written to: ${task?.outputFile}`,
  )
  expect(result.data).toMatchObject({ backgroundTaskId: 'bash_1', rawOutputPath: task?.outputFile })
  await expect.poll(() => readFileSync(task?.outputFile ?? '', 'utf8')).toBe('up\n')
  await task?.stop()
  await task?.stop()
  expect(countIn(folder.path)).toBe(0)
})

test.each([
  [
    'true',
    { status: 'completed', summary: 'Background command "true" completed (exit code 0)', exitCode: 0 },
  ],
  [
    'exit 3',
    { status: 'failed', summary: 'Background command "exit 3" failed with exit code 3', exitCode: 3 },
  ],
  ['kill -9 $$', { status: 'killed', summary: 'Background command "kill -9 $$" was ended by SIGKILL' }],
  [
    'yes',
    {
      status: 'killed',
      summary: 'Background command "yes" was ended: its output grew past the limit of 100000 bytes',
    },
  ],
])('96, SH-22: the end of %j reaches the registry', async (command, end) => {
  using folder = temporaryFolder()
  const tasks = fakeRegistry()
  const { call } = createSession(folder.path, { tasks, maxOutputFileBytes: 100_000 })
  await call({ command, run_in_background: true })
  const [task] = tasks.tasks
  expect(await task?.ended).toEqual(end)
  expect(readFileSync(task?.outputFile ?? '').length).toBeLessThanOrEqual(100_000)
})

test('a task that is stopped says so, and its whole tree is gone', async () => {
  using folder = temporaryFolder()
  const tasks = fakeRegistry()
  const { call } = createSession(folder.path, { tasks })
  await call({
    command: '(trap "" TERM; sleep 300 & wait) & setsid sleep 300 & sleep 300',
    run_in_background: true,
  })
  await expect.poll(() => countIn(folder.path)).toBeGreaterThan(4)
  await tasks.stopAll()
  expect(await tasks.tasks[0]?.ended).toEqual({
    status: 'killed',
    summary: expect.stringMatching(/^Background command ".*" was stopped$/),
  })
  expect(countIn(folder.path)).toBe(0)
})

test('a task knows the agent that started it', async () => {
  using folder = temporaryFolder()
  const tasks = fakeRegistry()
  const { call } = createSession(folder.path, { tasks, agent: { id: 'a1', type: 'helper' } })
  await call({ command: 'true', run_in_background: true })
  expect(tasks.tasks[0]?.agentId).toBe('a1')
})

test('the abort of a call does not concern the task it started', async () => {
  using folder = temporaryFolder()
  const tasks = fakeRegistry()
  const { call } = createSession(folder.path, { tasks })
  const controller = new AbortController()
  await call({ command: 'sleep 0.1; echo done', run_in_background: true }, controller)
  controller.abort(new Error('stop'))
  expect(await tasks.tasks[0]?.ended).toMatchObject({ status: 'completed' })
})

test('where nothing can run in the background, run_in_background waits', async () => {
  using folder = temporaryFolder()
  const tasks = fakeRegistry()
  for (const options of [{ tasks, allowsBackground: false }, {}]) {
    const { call, tool } = createSession(folder.path, options)
    const { data, text } = await call({ command: 'echo a', run_in_background: true })
    expect(data).toMatchObject({ stdout: 'a\n', exitCode: 0 })
    expect(text).toBe('a\nBackground tasks are off: the command ran to its end instead')
    expect(tool.description).not.toContain('run_in_background')
  }
  expect(tasks.tasks).toEqual([])
})

test('a shell that is not there makes no task', async () => {
  using folder = temporaryFolder()
  const tasks = fakeRegistry()
  const { call } = createSession(folder.path, { tasks, shell: '/no/such/bash' })
  await expect(call({ command: 'true', run_in_background: true })).rejects.toThrow('no such program')
  expect(tasks.tasks).toEqual([])
  expect(existsSync(folder.file('.out'))).toBe(true)
})

test('a registry that refuses the task leaves no process', async () => {
  using folder = temporaryFolder()
  const fault = new Error('full')
  const tasks = {
    ...fakeRegistry(),
    add: () => {
      throw fault
    },
  }
  const { call } = createSession(folder.path, { tasks })
  await expect(call({ command: 'sleep 600', run_in_background: true })).rejects.toBe(fault)
  expect(countIn(folder.path)).toBe(0)
})
