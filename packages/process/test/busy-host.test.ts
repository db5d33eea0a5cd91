import { readFileSync, writeFileSync } from 'node:fs'
import { runProcess, startProcess } from '@x/process'
import { expect, test } from 'vitest'
import { temporaryFolder } from './helpers.ts'

/** Holds the host up until the process has ended, and nobody has taken notice of it. */
function blockUntilDead(pid: number | undefined): void {
  while (!/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1')));
}

function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

// Node collects at once all processes that have ended, one too whose output it has not been told of in that turn.
test.each(['memory', 'lines'] as const)(
  'a host that is busy at the exit of a process loses nothing of its output (%s)',
  async (to) => {
    using folder = temporaryFolder()
    const lines: string[] = []
    const script = `until [ -e "${folder.file('go')}" ]; do sleep 0.01; done; echo all; echo of it; exit 3`
    const output = to === 'memory' ? { to } : { to, onLine: (line: string) => void lines.push(line) }
    const late = startProcess('sh', ['-c', script], { output })
    const early = startProcess('echo', ['first'], {
      output: {
        to: 'lines',
        onLine() {
          writeFileSync(folder.file('go'), '')
          blockUntilDead(late.pid)
          setImmediate(block, 400)
        },
      },
    })
    blockUntilDead(early.pid)
    expect(await late.exited).toMatchObject({ kind: 'exited', code: 3 })
    expect(to === 'memory' ? late.captured().stdout.text : lines.join('\n')).toMatch(/^all\nof it\n?$/)
    await early.exited
  },
)

test('a process that got away and writes for ever holds nobody up', async () => {
  const { exit, stdout } = await runProcess('bash', ['-c', 'env -i setsid yes & sleep 0.1'], {
    output: { to: 'memory', maxBytes: 100 },
  })
  expect(exit).toMatchObject({ kind: 'exited', code: 0 })
  expect(stdout.text.startsWith('y\ny\n')).toBe(true)
})
