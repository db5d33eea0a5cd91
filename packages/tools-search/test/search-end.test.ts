import { execFileSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import type { RipgrepEnd, RipgrepRun, SearchOperations } from '@x/tools-search'
import { describe, expect, test } from 'vitest'
import { openSession } from './session.ts'

/** Operations that print lines and end in a given way. */
function scripted(
  end: RipgrepEnd,
  lines: readonly string[] = [],
): SearchOperations & { readonly runs: RipgrepRun[] } {
  const runs: RipgrepRun[] = []
  return {
    runs,
    async ripgrep(run) {
      runs.push(run)
      return lines.every((line) => run.onLine(line)) ? end : { kind: 'stopped' }
    },
    kindOf: async () => 'folder',
    modifiedTimes: async (paths) => paths.map(() => 0),
  }
}

/** What ripgrep prints of a file with one matching line. */
const found = ['./a', '1'].join('\0')

const exited = (code: number, stderr = ''): RipgrepEnd => ({ kind: 'exited', code, stderr })

describe('exit status', () => {
  test.each([
    [exited(0), [found], 'a'],
    [
      exited(2, 'rg: ./b: Input/output error (os error 5)\n'),
      [found],
      'a\n\n(Some entries could not be searched: b: Input/output error (os error 5))',
    ],
    [
      exited(2, 'rg: ./b: x (os error 5)\nrg: ./c: y (os error 5)\n'),
      [],
      'No files found\n\n(Some entries could not be searched: b: x (os error 5); c: y (os error 5))',
    ],
    [exited(1), [], 'No files found'],
  ])('%o', async (end, lines, expected) => {
    await using session = await openSession({ grep: { operations: scripted(end, lines) } })

    expect((await session.grep({ pattern: 'x' })).text).toBe(expected)
  })

  test('a fault of a hidden file is not told', async () => {
    const operations = scripted(exited(2, 'rg: ./b: x (os error 5)\nrg: ./c: y (os error 5)\n'))
    await using session = await openSession({ grep: { operations, isHidden: (path) => path.endsWith('/b') } })

    expect((await session.grep({ pattern: 'x' })).text).toMatch(/searched: c: y \(os error 5\)\)$/)
  })

  test('many faults are cut to the first five', async () => {
    const stderr = Array.from({ length: 8 }, (_, index) => `rg: ./f${index}: x (os error 5)`).join('\n')
    await using session = await openSession({ grep: { operations: scripted(exited(2, stderr)) } })

    expect((await session.grep({ pattern: 'x' })).text).toMatch(/f4: x \(os error 5\); and more\)$/)
  })

  test.each([
    [exited(2, 'rg: regex parse error:\n  (\n'), 'regex parse error'],
    [exited(101), 'exit code 101'],
    [{ kind: 'failed', message: 'ripgrep was ended from outside (signalled).' } as const, 'from outside'],
    [{ kind: 'timed-out' } as const, 'took longer than 20 seconds'],
  ])('is an error: %o', async (end, message) => {
    const operations = scripted(end)
    await using session = await openSession({ grep: { operations }, glob: { operations } })

    await expect(session.grep({ pattern: 'x' })).rejects.toThrow(message)
    await expect(session.glob({ pattern: 'x' })).rejects.toThrow(message)
  })
})

test('ripgrep is stopped at the first line behind the page', async () => {
  let heard = 0
  const endless: SearchOperations = {
    ...scripted(exited(0)),
    async ripgrep({ onLine }) {
      heard = 0
      do heard += 1
      while (onLine(`./a\0${heard}:1:x`))
      return { kind: 'stopped' }
    },
  }
  await using session = await openSession({ grep: { operations: endless } })

  const { data } = await session.grep({ pattern: 'x', output_mode: 'content', head_limit: 7, offset: 3 })

  expect(heard).toBe(11)
  expect(data).toMatchObject({ numLines: 7, appliedLimit: 7, appliedOffset: 3 })
})

test('the environment of the session is that of ripgrep, and no configuration file is read', async () => {
  const operations = scripted(exited(1))
  await using session = await openSession({ grep: { operations }, files: { 'a.txt': 'x\n' } })
  const env = { PATH: '/usr/bin', RIPGREP_CONFIG_PATH: session.path('a.txt') }
  const options = { tools: [], model: 'none', isNonInteractive: true, projectDir: session.cwd, env }

  await session.grep({ pattern: 'x' }, { options })

  expect(operations.runs[0]).toMatchObject({ env, cwd: session.cwd })
  expect(operations.runs[0]?.args).toContain('--no-config')
})

/** A program in the place of ripgrep that leaves its process id and waits. */
async function openSlowSession(timeoutMs: number): Promise<Awaited<ReturnType<typeof openSession>>> {
  const programs = await openSession()
  await programs.write('rg', `#!/bin/sh\necho $$ > ${programs.path('pid')}\nexec sleep 600\n`)
  await chmod(programs.path('rg'), 0o755)
  const options = { ripgrepPath: programs.path('rg'), timeoutMs }
  const session = await openSession({ grep: options, glob: options })
  return {
    ...session,
    path: (name) => programs.path(name),
    [Symbol.asyncDispose]: async () => {
      await session[Symbol.asyncDispose]()
      await programs[Symbol.asyncDispose]()
    },
  }
}

function isAlive(pidFile: string): boolean {
  try {
    execFileSync('sh', ['-c', `kill -0 $(cat ${pidFile})`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('a search that takes too long is an error, and ripgrep is ended', async () => {
  await using session = await openSlowSession(400)

  await expect(session.grep({ pattern: 'x' })).rejects.toThrow('took longer than 0.4 seconds')
  expect(isAlive(session.path('pid'))).toBe(false)
})

describe('abort', () => {
  const reason = new Error('stop')

  test.each(['grep', 'glob'] as const)(
    'before the start, %s starts nothing and rejects with the reason',
    async (tool) => {
      await using session = await openSlowSession(60_000)
      const abortController = new AbortController()
      abortController.abort(reason)

      await expect(session[tool]({ pattern: 'x' }, { abortController })).rejects.toBe(reason)
      expect(isAlive(session.path('pid'))).toBe(false)
    },
  )

  test.each(['grep', 'glob'] as const)(
    'during the run, %s ends ripgrep and rejects with the reason',
    async (tool) => {
      await using session = await openSlowSession(60_000)
      const abortController = new AbortController()

      const call = session[tool]({ pattern: 'x' }, { abortController })
      const timer = setInterval(() => {
        if (isAlive(session.path('pid'))) abortController.abort(reason)
      }, 20)
      await expect(call).rejects.toBe(reason)
      clearInterval(timer)

      expect(isAlive(session.path('pid'))).toBe(false)
    },
  )
})

test('a missing ripgrep says what to install', async () => {
  await using session = await openSession({ grep: { ripgrepPath: 'no-such-ripgrep' } })

  await expect(session.grep({ pattern: 'x' })).rejects.toThrow(
    /ripgrep was not found\. Install @vscode\/ripgrep/,
  )
})
