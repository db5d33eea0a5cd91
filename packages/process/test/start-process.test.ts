import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { runProcess, startProcess } from '@x/process'
import { describe, expect, test } from 'vitest'
import { isRunning, marked, openDescriptors, temporaryFolder } from './helpers.ts'

const node = process.execPath
const none = { ended: 0, kept: [] }

describe('a process that ends by itself', () => {
  test('tells its exit code', async () => {
    const { exit } = await runProcess('sh', ['-c', 'exit 7'])
    expect(exit).toEqual({ kind: 'exited', code: 7, durationMs: expect.any(Number), leftovers: none })
  })

  test('tells a signal that came from elsewhere', async () => {
    const { exit } = await runProcess('sh', ['-c', 'kill -HUP $$'])
    expect(exit).toMatchObject({ kind: 'signalled', signal: 'SIGHUP' })
  })

  test('has its own session and group, and the folder and environment it was given', async () => {
    using folder = temporaryFolder()
    const script = 'pwd; echo $NAME; cut -d" " -f5,6 /proc/$$/stat; echo $$'
    const { stdout } = await runProcess('sh', ['-c', script], {
      cwd: folder.path,
      env: { PATH: process.env['PATH'], NAME: 'value' },
    })
    const [cwd, name, groupAndSession, pid] = stdout.text.split('\n')
    expect([cwd, name, groupAndSession]).toEqual([folder.path, 'value', `${pid} ${pid}`])
  })

  test('gets each argument as it is', async () => {
    const args = ['', ' a  b ', '"$HOME"', "it's", 'new\nline', '!*?', '你']
    const { stdout } = await runProcess(node, ['-p', 'JSON.stringify(process.argv.slice(1))', '--', ...args])
    expect(JSON.parse(stdout.text)).toEqual(args)
  })
})

describe('standard input', () => {
  test.each(['cat', 'read line; echo "status $?"', `"${node}" -e "process.stdin.resume()"`])(
    'is at its end when none is given (SH-06): %s',
    async (script) => {
      const { exit } = await runProcess('sh', ['-c', script], { timeoutMs: 60_000 })
      expect(exit).toMatchObject({ kind: 'exited', code: 0 })
    },
  )

  test('arrives byte for byte, 1 MB too', async () => {
    const stdin = Buffer.alloc(1_000_000, 'ab\0\xff\n你')
    const { stdout } = await runProcess('sha256sum', [], { stdin })
    expect(stdout.text.slice(0, 64)).toBe(createHash('sha256').update(stdin).digest('hex'))
  })

  test('that nobody reads is no failure', async () => {
    const { exit } = await runProcess('sh', ['-c', 'exec <&-; exit 3'], { stdin: 'x'.repeat(1_000_000) })
    expect(exit).toMatchObject({ kind: 'exited', code: 3 })
  })
})

describe('a process that cannot be started', () => {
  const gone = '/nowhere/at/all'

  test.each([
    ['command-missing', 'ENOENT', ['no-such-program-here'], {}],
    ['cwd-missing', 'ENOENT', ['true'], { cwd: gone }],
    ['cwd-missing', 'ENOTDIR', ['true'], { cwd: node }],
    ['arguments-too-long', 'E2BIG', ['true', 'x'.repeat(200_000)], {}],
    ['invalid', 'ERR_INVALID_ARG_VALUE', ['echo', 'a\0b'], {}],
    ['invalid', 'ERR_INVALID_ARG_VALUE', [''], {}],
    ['output-file', 'ENOENT', ['true'], { output: { to: 'file', path: `${gone}/file` } }],
  ] as const)('is the value %s (%s)', async (...row) => {
    const [problem, code, [command, ...args], options] = row
    const before = openDescriptors()
    const child = startProcess(command, args, options)
    expect(await child.exited).toMatchObject({ kind: 'failed-to-start', problem, code, leftovers: none })
    expect(child.pid).toBeUndefined()
    await child.kill()
    await expect.poll(openDescriptors).toBeLessThanOrEqual(before)
  })

  test('is a value when the file is not executable', async () => {
    using folder = temporaryFolder()
    const path = folder.file('script')
    writeFileSync(path, '#!/bin/sh\n', { mode: 0o600 })
    const { exit } = await runProcess(path)
    expect(exit).toMatchObject({ kind: 'failed-to-start', problem: 'permission-denied', code: 'EACCES' })
  })

  test('is a value when the host has no descriptor left', async () => {
    const host = `
      import { openSync } from 'node:fs'
      import { runProcess } from '@x/process'
      await runProcess('true')
      try { for (;;) openSync('/dev/null') } catch {}
      const results = []
      for (const output of [{ to: 'memory' }, { to: 'file', path: '/dev/null' }]) {
        const { exit } = await runProcess('true', [], { output, stdin: 'x' })
        results.push(exit.problem + ' ' + exit.code)
      }
      process.stdout.write(JSON.stringify(results))`
    const args = [
      '-c',
      'ulimit -n 40; exec "$@"',
      'sh',
      node,
      '--conditions=@x/source',
      '--input-type=module',
      '-e',
      host,
    ]
    const { stdout, stderr } = await runProcess('sh', args, { cwd: import.meta.dirname })
    expect(stderr.text).toBe('')
    expect(JSON.parse(stdout.text)).toEqual(['out-of-resources EMFILE', 'out-of-resources EMFILE'])
  })
})

describe('abort and timeout', () => {
  const lasting = 'echo MARK-OUT; echo MARK-ERR >&2; sleep 300'

  test('nothing is started when the signal is aborted already', async () => {
    using folder = temporaryFolder()
    const reason = new Error('stop')
    const output = { to: 'file', path: folder.file('out') } as const
    const child = startProcess('true', [], { signal: AbortSignal.abort(reason), output })
    expect(await child.exited).toMatchObject({ kind: 'aborted', reason })
    expect(child.pid).toBeUndefined()
  })

  test('an abort ends it, gives the reason unchanged and keeps the output so far (SH-17)', async () => {
    const controller = new AbortController()
    const { options, count } = marked({ signal: controller.signal })
    const child = startProcess('sh', ['-c', lasting], options)
    await expect.poll(() => child.captured().stderr.text).not.toBe('')
    const reason = { any: 'thing' }
    controller.abort(reason)
    const exit = await child.exited
    expect(exit.kind === 'aborted' && exit.reason).toBe(reason)
    expect(child.captured()).toMatchObject({ stdout: { text: 'MARK-OUT\n' }, stderr: { text: 'MARK-ERR\n' } })
    expect(count()).toBe(0)
  })

  test.concurrent('a timeout ends it and keeps the output so far (SH-17)', async () => {
    const { options, count } = marked({ timeoutMs: 2000 })
    const { exit, stdout, stderr } = await runProcess('sh', ['-c', lasting], options)
    expect(exit).toMatchObject({ kind: 'timed-out', timeoutMs: 2000 })
    expect([stdout.text, stderr.text]).toEqual(['MARK-OUT\n', 'MARK-ERR\n'])
    expect(count()).toBe(0)
  })

  test.concurrent('a timeout bites on a pipe to tee (SH-18)', async () => {
    using folder = temporaryFolder()
    const { options, count } = marked({ timeoutMs: 200, cwd: folder.path })
    const { exit } = await runProcess('sh', ['-c', 'sleep 600 2>&1 | tee -a log'], options)
    expect(exit.kind).toBe('timed-out')
    expect(count()).toBe(0)
  })

  test.concurrent('a timeout bites while a writer on a named pipe holds the output (SH-02)', async () => {
    using folder = temporaryFolder()
    const { options, count } = marked({ timeoutMs: 2000, cwd: folder.path })
    const script = 'mkfifo p; (while :; do echo tick; sleep 300; done) > p & cat p'
    const { exit, stdout } = await runProcess('sh', ['-c', script], options)
    expect(exit.kind).toBe('timed-out')
    expect(stdout.text).toBe('tick\n')
    expect(count()).toBe(0)
  })

  test('the first cause wins', async () => {
    const controller = new AbortController()
    const child = startProcess('sleep', ['300'], { signal: controller.signal })
    const killed = child.kill('first')
    controller.abort('second')
    await killed
    expect(await child.exited).toMatchObject({ kind: 'killed', reason: 'first' })
  })

  test('an abort after the end changes nothing', async () => {
    const controller = new AbortController()
    const child = startProcess('true', [], { signal: controller.signal })
    const exit = await child.exited
    controller.abort()
    await child.kill()
    expect(await child.exited).toBe(exit)
    expect(exit).toMatchObject({ kind: 'exited', code: 0 })
  })

  test('a process that cleans up on TERM gets the time for it', async () => {
    const child = startProcess('sh', [
      '-c',
      'trap "echo cleaned; exit 0" TERM; echo ready; while :; do sleep 0.01; done',
    ])
    await expect.poll(() => child.captured().stdout.text).not.toBe('')
    await child.kill()
    expect(child.captured().stdout.text).toBe('ready\ncleaned\n')
  })

  test('without a grace time it is killed at once', async () => {
    const child = startProcess(
      'sh',
      ['-c', 'trap "echo cleaned" TERM; echo ready; while :; do sleep 0.01; done'],
      {
        killGraceMs: 0,
      },
    )
    await expect.poll(() => child.captured().stdout.text).not.toBe('')
    await child.kill()
    expect(child.captured().stdout.text).toBe('ready\n')
  })

  test('await using ends it at the end of the block', async () => {
    const { options, count } = marked()
    {
      await using child = startProcess('sleep', ['300'], options)
      expect(isRunning(child.pid ?? 0)).toBe(true)
      expect(count()).toBe(1)
    }
    expect(count()).toBe(0)
  })
})

test.each([
  { timeoutMs: 0 },
  { timeoutMs: Number.NaN },
  { timeoutMs: 2 ** 31 },
  { killGraceMs: -1 },
  { settleMs: Number.POSITIVE_INFINITY },
  { output: { to: 'memory', maxBytes: -1 } },
  { output: { to: 'file', path: 'x', maxFileBytes: 0 } },
  { output: { to: 'lines', onLine: () => {}, maxLineLength: 0 } },
] as const)('a number out of range is refused at once: %o', (options) => {
  expect(() => startProcess('true', [], options)).toThrow(RangeError)
})
