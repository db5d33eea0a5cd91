import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { runProcess, startProcess } from '@x/process'
import { describe, expect, test } from 'vitest'
import { marked, temporaryFolder } from './helpers.ts'

describe('memory', () => {
  test('keeps the streams apart', async () => {
    const { stdout, stderr } = await runProcess('sh', ['-c', 'echo out; echo err >&2'])
    expect(stdout).toEqual({ text: 'out\n', totalBytes: 4, omittedBytes: 0 })
    expect(stderr).toEqual({ text: 'err\n', totalBytes: 4, omittedBytes: 0 })
  })

  test('keeps the beginning and the end of a longer stream, and does not stop the process', async () => {
    const { exit, stdout } = await runProcess('sh', ['-c', 'seq 1 100000; exit 7'], {
      output: { to: 'memory', maxBytes: 40 },
    })
    expect(exit).toMatchObject({ kind: 'exited', code: 7 })
    expect(stdout.totalBytes).toBe(588_895)
    expect(stdout.omittedBytes).toBe(588_855)
    expect(stdout.text).toBe(
      '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n[... 588855 bytes left out ...]\n\n99998\n99999\n100000\n',
    )
  })

  test('loses no character over pipe borders (SH-08)', async () => {
    const script = 'process.stdout.write("你".repeat(50000)); process.stderr.write("é".repeat(50000))'
    const { stdout, stderr } = await runProcess(process.execPath, ['-e', script])
    expect(stdout.text).toBe('你'.repeat(50_000))
    expect(stderr.text).toBe('é'.repeat(50_000))
  })

  test('replaces bytes that are not UTF-8 and stays well-formed', async () => {
    const { stdout } = await runProcess('printf', [String.raw`a\377\376\000b\n\355\240\200\n`])
    expect(stdout.text).toMatch(/^a\uFFFD+\0b\n\uFFFD+\n$/)
    expect(stdout.text.isWellFormed()).toBe(true)
  })
})

describe('lines', () => {
  const collect = (): { lines: string[]; onLine: (line: string) => void } => {
    const lines: string[] = []
    return { lines, onLine: (line) => void lines.push(line) }
  }

  test('arrive in order, the last one without a line feed too', async () => {
    const { lines, onLine } = collect()
    const { stdout, stderr } = await runProcess('printf', [String.raw`one\n\n你\nlast`], {
      output: { to: 'lines', onLine },
    })
    expect(lines).toEqual(['one', '', '你', 'last'])
    expect([stdout.text, stderr.text]).toEqual(['', ''])
  })

  test('false ends a process that would go on for ever', async () => {
    const lines: string[] = []
    const { options, count } = marked({ output: { to: 'lines', onLine: (line) => lines.push(line) < 3 } })
    const { exit } = await runProcess('sh', ['-c', 'echo 1; echo 2; yes'], options)
    expect(exit.kind).toBe('stopped')
    expect(lines).toEqual(['1', '2', 'y'])
    expect(count()).toBe(0)
  })

  test('standard error is kept', async () => {
    const { onLine } = collect()
    const { stderr } = await runProcess('sh', ['-c', 'echo problem >&2'], { output: { to: 'lines', onLine } })
    expect(stderr.text).toBe('problem\n')
  })

  test('a longer line is cut, and the next one is whole', async () => {
    const { lines, onLine } = collect()
    const script = 'head -c 300000 /dev/zero | tr "\\0" x; echo; echo next'
    await runProcess('sh', ['-c', script], { output: { to: 'lines', onLine, maxLineLength: 10 } })
    expect(lines).toEqual(['xxxxxxxxxx', 'next'])
  })

  test('what onLine throws ends the process and comes out', async () => {
    const error = new Error('from onLine')
    const { options, count } = marked({
      output: {
        to: 'lines',
        onLine: () => {
          throw error
        },
      },
    })
    await expect(runProcess('sh', ['-c', 'echo 1; sleep 300'], options)).rejects.toBe(error)
    expect(count()).toBe(0)
  })
})

describe('a file', () => {
  test('gets both streams, interleaved as written, after what it had', async () => {
    using folder = temporaryFolder()
    const path = folder.file('out')
    writeFileSync(path, 'before\n')
    const { stdout, stderr } = await runProcess('sh', ['-c', 'echo 1; echo 2 >&2; echo 3'], {
      output: { to: 'file', path },
    })
    expect(readFileSync(path, 'utf8')).toBe('before\n1\n2\n3\n')
    expect([stdout.text, stderr.text]).toEqual(['', ''])
  })

  test('is readable by its owner only', async () => {
    using folder = temporaryFolder()
    const path = folder.file('out')
    await runProcess('true', [], { output: { to: 'file', path } })
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('can be read while the process runs', async () => {
    using folder = temporaryFolder()
    const path = folder.file('out')
    await using child = startProcess('sh', ['-c', 'echo first; sleep 300'], { output: { to: 'file', path } })
    await expect.poll(() => readFileSync(path, 'utf8')).toBe('first\n')
    expect(child.pid).toBeTypeOf('number')
  })

  test('that passes the limit ends the process and is cut there (SH-22)', async () => {
    using folder = temporaryFolder()
    const path = folder.file('out')
    const { options, count } = marked({ output: { to: 'file', path, maxFileBytes: 100_000 } })
    const { exit } = await runProcess('yes', [], options)
    expect(exit).toMatchObject({ kind: 'output-limit', maxFileBytes: 100_000 })
    expect(statSync(path).size).toBe(100_000)
    expect(count()).toBe(0)
  })

  test('that passed the limit before anybody looked is cut and reported too', async () => {
    using folder = temporaryFolder()
    const path = folder.file('out')
    const { exit } = await runProcess('echo', ['hello'], { output: { to: 'file', path, maxFileBytes: 3 } })
    expect(exit).toMatchObject({ kind: 'output-limit', maxFileBytes: 3 })
    expect(readFileSync(path, 'utf8')).toBe('hel')
  })

  test('below the limit stays as it is', async () => {
    using folder = temporaryFolder()
    const path = folder.file('out')
    const { exit } = await runProcess('echo', ['hi'], { output: { to: 'file', path, maxFileBytes: 3 } })
    expect(exit.kind).toBe('exited')
    expect(readFileSync(path, 'utf8')).toBe('hi\n')
  })

  test('of half a gigabyte costs the host no memory (SH-10)', async () => {
    const before = process.memoryUsage().rss
    const output = { to: 'file', path: '/dev/null' } as const
    const { exit } = await runProcess('sh', ['-c', 'yes 0123456789 | head -c 500000000'], { output })
    expect(exit).toMatchObject({ kind: 'exited', code: 0 })
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  })

  test('memory stays bounded through a pipe too (SH-10)', async () => {
    const before = process.memoryUsage().rss
    const output = { to: 'memory', maxBytes: 100_000 } as const
    const { stdout } = await runProcess('head', ['-c', '200000000', '/dev/zero'], { output })
    expect(stdout.totalBytes).toBe(200_000_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  })
})
