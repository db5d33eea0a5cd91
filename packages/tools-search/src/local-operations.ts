import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { type ProcessExit, startProcess } from '@x/process'
import type { PathKind, RipgrepEnd, SearchOperations } from './search-operations.ts'

/** Longer lines are cut before they are looked at. */
const MAX_LINE_LENGTH = 64 * 1024
const MAX_STDERR_BYTES = 16 * 1024
/** Some hundred microseconds of work between two looks at the event loop. */
const STATS_PER_SLICE = 256

/**
 * Makes the operations of this machine.
 *
 * Without a path to ripgrep, the binary of `@vscode/ripgrep` is looked for when it is first needed.
 */
export function createLocalOperations(ripgrepPath?: string): SearchOperations {
  return {
    async ripgrep({ args, cwd, env, signal, timeoutMs, onLine }) {
      signal.throwIfAborted()
      const program = ripgrepPath ?? (await findRipgrep())
      const child = startProcess(program, args, {
        cwd,
        ...(env === undefined ? {} : { env }),
        signal,
        timeoutMs,
        // It has nothing to tidy up, and starts nothing.
        killGraceMs: 0,
        settleMs: 0,
        output: { to: 'lines', onLine, maxLineLength: MAX_LINE_LENGTH, maxBytes: MAX_STDERR_BYTES },
      })
      const exit = await child.exited
      signal.throwIfAborted()
      return toEnd(exit, child.captured().stderr.text)
    },
    kindOf: tellKind,
    modifiedTimes: readModifiedTimes,
  }
}

async function findRipgrep(): Promise<string> {
  try {
    const { rgPath } = await import('@vscode/ripgrep')
    return rgPath
  } catch (cause) {
    throw new Error(`ripgrep was not found. ${ADVICE}`, { cause })
  }
}

const ADVICE =
  'Install @vscode/ripgrep together with its optional dependencies, which hold the binary of this platform; ' +
  'or put rg on the PATH and set USE_BUILTIN_RIPGREP=0.'

function toEnd(exit: ProcessExit, stderr: string): RipgrepEnd {
  switch (exit.kind) {
    case 'exited':
      return { kind: 'exited', code: exit.code, stderr }
    case 'stopped':
    case 'timed-out':
      return { kind: exit.kind }
    case 'failed-to-start':
      if (exit.problem === 'command-missing') {
        return { kind: 'failed', message: `ripgrep was not found. ${ADVICE}` }
      }
      return { kind: 'failed', message: `ripgrep could not be started: ${exit.message}` }
    default:
      return { kind: 'failed', message: `ripgrep was ended from outside (${exit.kind}).` }
  }
}

async function tellKind(path: string): Promise<PathKind> {
  try {
    const facts = await stat(path)
    if (facts.isDirectory()) return 'folder'
    return facts.isFile() ? 'file' : 'other'
  } catch {
    return 'missing'
  }
}

/** Through the synchronous call, in slices: the thread pool costs ten times as much as the call itself. */
async function readModifiedTimes(paths: readonly string[], signal: AbortSignal): Promise<readonly number[]> {
  const times: number[] = []
  for (const path of paths) {
    times.push(readModifiedTime(path))
    if (times.length % STATS_PER_SLICE === 0) {
      await setImmediate()
      signal.throwIfAborted()
    }
  }
  return times
}

function readModifiedTime(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  } catch {
    return 0
  }
}
