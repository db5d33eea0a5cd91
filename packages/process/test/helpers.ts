import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProcessOptions } from '@x/process'

/** A new temporary folder; `using` removes it. */
export function temporaryFolder(): { path: string; file: (name: string) => string } & Disposable {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'process-')))
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}

/** Options with a mark in the environment, by which all that descends from the process is counted. */
export function marked(options: ProcessOptions = {}): { options: ProcessOptions; count: () => number } {
  const mark = randomUUID()
  return {
    options: { killGraceMs: 60, settleMs: 30, ...options, env: { ...process.env, TEST_MARK: mark } },
    count: () => livingPids().filter((pid) => environmentOf(pid).includes(`TEST_MARK=${mark}`)).length,
  }
}

/** Whether the process runs (one that is dead and not collected does not). */
export function isRunning(pid: number): boolean {
  return livingPids().includes(pid)
}

/** How many descriptors this process has open. */
export function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length
}

function livingPids(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && /^\d+ \(.*\) [^ZX]/s.test(read(`/proc/${pid}/stat`)))
}

function environmentOf(pid: number): string {
  return read(`/proc/${pid}/environ`)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
