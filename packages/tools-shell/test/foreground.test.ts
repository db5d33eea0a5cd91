import { expect, test } from 'vitest'
import { createSession, temporaryFolder } from './harness.ts'

test('returns both streams in the order written', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  const { data } = await call({ command: 'echo a; echo b >&2; echo c' })
  expect(data).toEqual({ stdout: 'a\nb\nc\n', stderr: '', interrupted: false, exitCode: 0 })
})

test('a failure is an error that starts with its exit code', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  const result = await call({ command: 'echo hi; false' })
  expect(result).toMatchObject({ isError: true, text: 'Exit code 1\nhi' })
})

test('the folder carries over', async () => {
  using folder = temporaryFolder()
  const { text, cwd } = createSession(folder.path)
  await text('mkdir sub; cd sub')
  expect(await text('pwd')).toBe(folder.file('sub'))
  expect(cwd()).toBe(folder.file('sub'))
})

test('timeout: killed without a registry, output kept', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  const result = await call({ command: 'echo MARK-OUT; echo MARK-ERR >&2; sleep 30', timeout: 200 })
  expect(result.text).toBe('Exit code 143\nMARK-OUT\nMARK-ERR\nCommand timed out after 0.2s')
})
