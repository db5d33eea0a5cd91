import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { createSession, temporaryFolder } from './harness.ts'
import { countIn } from './process-count.ts'

test('SH-04: output through process substitution', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path, { settleMs: 60_000 })
  const { data } = await call({ command: 'exec > >(tee -a run.log) 2>&1 && echo finished' })
  expect(data).toMatchObject({ stdout: 'finished\n', exitCode: 0 })
  expect(countIn(folder.path)).toBe(0)
})

test('SH-05: a process left in the background ends with the command, and the result says so', async () => {
  using folder = temporaryFolder()
  const { data } = await createSession(folder.path).call({ command: 'sleep 600 & echo started' })
  expect(data).toEqual({
    stdout: 'started\n',
    stderr:
      '1 process left running by the command ended with it. To keep a process running, use run_in_background',
    interrupted: false,
    exitCode: 0,
  })
  expect(countIn(folder.path)).toBe(0)
})

test('SH-06: standard input is at its end', async () => {
  using folder = temporaryFolder()
  const { text } = createSession(folder.path)
  expect(await text('cat')).toBe('(no output)')
  expect(await text('read -p "go? " x; echo "rc=$?"')).toBe('rc=1')
  expect(await text('node -e "process.stdin.resume()"')).toBe('(no output)')
})

test('SH-07: git opens no editor', async () => {
  using folder = temporaryFolder()
  writeFileSync(folder.file('editor'), `#!/bin/sh\necho edited > ${folder.file('edited')}\nsleep 600\n`)
  chmodSync(folder.file('editor'), 0o755)
  for (const name of ['EDITOR', 'VISUAL', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR'])
    vi.stubEnv(name, folder.file('editor'))
  const setup = `git init -q -b main; git config user.email a@b.c; git config user.name n; echo 1 > f; git add f; git commit -qm 1
    git checkout -qb side; echo 2 > f; git commit -qam 2; git checkout -q main; echo 3 > f; git commit -qam 3
    git checkout -q side; git rebase main || true; echo 4 > f; git add f`
  execFileSync('/bin/bash', ['-c', setup], { cwd: folder.path, stdio: 'ignore' })
  const { call } = createSession(folder.path)
  expect((await call({ command: 'git rebase --continue' })).data.exitCode).toBe(0)
  expect((await call({ command: 'git commit --allow-empty' })).text).toMatch(
    /^Exit code 1\nAborting commit due to empty commit message/,
  )
  expect(existsSync(folder.file('edited'))).toBe(false)
  expect(countIn(folder.path)).toBe(0)
  vi.unstubAllEnvs()
})

test('SH-16: the exit code is that of the shell, nothing is said about stages', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  expect(await call({ command: "sh -c 'echo out; exit 3' | tail -1" })).toMatchObject({ text: 'out' })
  expect((await call({ command: 'yes | head -1' })).isError).toBeUndefined()
  expect(await call({ command: 'grep zzz /etc/hosts | wc -l' })).toMatchObject({ text: '0' })
})

test.each([
  ['51: grep', 'grep zzz /etc/hosts', 'No matches found'],
  ['93: grep in parallel', 'grep -c zzz /etc/hosts', 'No matches found'],
  ['egrep', 'cat /etc/hosts | egrep zzz 2>/dev/null', 'No matches found'],
  ['a wrapped grep', 'timeout 5 grep zzz /etc/hosts', 'No matches found'],
  ['diff', 'diff /etc/hosts /etc/passwd >/dev/null', 'Files differ'],
  ['test', 'test -e /nowhere', 'Condition is false'],
  ['[', '[ 1 = 2 ]', 'Condition is false'],
  ['git diff', 'git -C / diff --no-index /etc/hosts /etc/passwd >/dev/null', 'Files differ'],
  ['the last command of a list', 'echo a && grep zzz /etc/hosts', 'No matches found'],
])('exit code 1 of %s is an answer', async (_what, command, meaning) => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  const { data, isError, text } = await call({ command })
  expect([data.returnCodeInterpretation, isError]).toEqual([meaning, undefined])
  expect(text).toContain(`(exit code 1: ${meaning})`)
})

test.each([
  ['52: false', 'false', 1],
  ['53: pgrep', 'pgrep zzz-no-such-process', 1],
  ['cmp', 'cmp /etc/hosts /etc/passwd', 1],
  ['grep with code 2', 'grep x /nowhere', 2],
  ['a negated grep', '! grep -q . /etc/hosts', 1],
  ['something behind grep', 'grep zzz /etc/hosts; false', 1],
  ['grep in front of a pipe', 'grep zzz /etc/hosts | cmp - /etc/passwd', 1],
  ['git show of nothing', 'git -C / show 2>/dev/null; (exit 1)', 1],
])('%s is a failure', async (_what, command, code) => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  const { data, isError, text } = await call({ command })
  expect([data.exitCode, isError]).toEqual([code, true])
  expect(text.startsWith(`Exit code ${code}`)).toBe(true)
})

test('a signal is told', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path)
  expect((await call({ command: 'echo a; kill -9 $$' })).text).toBe(
    'Exit code 137\na\nThe command was ended by SIGKILL',
  )
})

test('a shell that is not there is an error that says so', async () => {
  using folder = temporaryFolder()
  const { call } = createSession(folder.path, { shell: '/no/such/bash' })
  await expect(call({ command: 'true' })).rejects.toThrow('cannot start /no/such/bash: no such program')
  expect(existsSync(folder.file('.out'))).toBe(true)
  expect(execFileSync('ls', [folder.file('.out')], { encoding: 'utf8' })).toBe('')
})

test('a command that shows one file counts as reading it, any other does not', async () => {
  using folder = temporaryFolder()
  writeFileSync(folder.file('f'), 'text\n')
  const { text, known } = createSession(folder.path)
  await text('cat f | cat')
  await text('cat f > g')
  await text('cat nowhere')
  await text('echo f')
  expect([...known.keys()]).toEqual([])
  await text('cat f')
  expect(known.get(folder.file('f'))).toEqual({
    mtimeMs: expect.any(Number),
    sizeBytes: 5,
    source: 'shell',
    isPartialView: false,
  })
  await text('mkdir d; cd d; ln -s ../g h')
  await text("sed -n '1,3p' h")
  expect([...known.keys()]).toEqual([folder.file('f'), folder.file('g')])
  expect(readFileSync(folder.file('g'), 'utf8')).toBe('text\n')
})

test('pkill -f that would match this process is refused, another pattern is not', async () => {
  using folder = temporaryFolder()
  const { tool, text } = createSession(folder.path)
  const own = readFileSync('/proc/self/cmdline', 'utf8').split('\0')[0]?.split('/').at(-1) ?? ''
  const validate = (command: string) => tool.validateInput?.({ command }, {} as never)
  for (const command of [
    `pkill -f ${own}`,
    `sleep 1; sudo pkill -9 -f '${own}'`,
    `pkill -if ${own.toUpperCase()}`,
    'pkill --full .',
  ]) {
    expect(await validate(command)).toMatchObject({
      ok: false,
      message: expect.stringContaining('would also end'),
    })
  }
  for (const command of [`pkill ${own}`, 'pkill -f zzz-no-such', `pgrep -f ${own}`]) {
    expect(await validate(command)).toEqual({ ok: true })
  }
  // The shell that runs the command does not match its own text.
  expect(await text(`pkill -f zzz-${randomUUID()}; echo $?`)).toBe('1')
})

// Without a limit the expression would be tried in more ways than there is time for.
test('pkill -f with a pattern that would never end is refused', async () => {
  using folder = temporaryFolder()
  const { tool } = createSession(folder.path)
  const command = "pkill -f '(.+)+#'"
  expect(await tool.validateInput?.({ command }, {} as never)).toMatchObject({ ok: false })
})
