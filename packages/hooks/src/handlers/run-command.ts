import { constants } from 'node:os'
import { type ProcessExit, startProcess } from '@x/process'
import type { HookEnvironment } from '../hook-environment.ts'
import { parseObject } from '../parse-stdout.ts'
import type { RawRun } from '../raw-run.ts'
import type { CommandLine } from './command-line.ts'

/** How a command is run. */
export interface CommandRun {
  /** What to start. */
  readonly line: CommandLine
  /** Its folder. */
  readonly cwd: string
  /** Its environment. */
  readonly env: HookEnvironment
  /** What it reads. */
  readonly stdin: Uint8Array
  /** Ends the whole tree. */
  readonly signal: AbortSignal
  /** Milliseconds between asking to end and forcing. */
  readonly killGraceMs: number
  /** Told when the command says of itself that nobody should wait; with its time limit in milliseconds. */
  readonly onAsync?: (timeoutMs: number | undefined) => void
}

/** Bytes or characters that are read of each stream; the rest is thrown away. */
const MAX_OUTPUT = 10 * 1024 * 1024

/** Lines behind the mark in which the late answer is looked for. */
const MAX_SEARCHED_LINES = 1000

/** Milliseconds that processes the command leaves behind may delay the result. */
const SETTLE_MS = 50

/** Runs a command to its end. What it leaves behind goes on: people start servers in hooks on purpose. */
export async function runCommand(run: CommandRun): Promise<RawRun> {
  const { line, cwd, env, stdin, signal, killGraceMs, onAsync } = run
  const output = createOutput(onAsync)
  const child = startProcess(line.program, line.args, {
    cwd,
    env,
    stdin,
    signal,
    killGraceMs,
    leftovers: 'keep',
    settleMs: SETTLE_MS,
    output: { to: 'lines', onLine: output.take, maxBytes: MAX_OUTPUT, maxLineLength: MAX_OUTPUT },
  })
  const exit = await child.exited
  return toRawRun(exit, { ...output.read(), stderr: child.captured().stderr.text })
}

interface Output {
  readonly take: (line: string) => void
  readonly read: () => { readonly stdout: string; readonly isCut: boolean }
}

/** Collects standard output, and hears the mark of a command that goes on by itself. */
function createOutput(onAsync: CommandRun['onAsync']): Output {
  let lines: string[] = []
  let length = 0
  let isCut = false
  let isFirst = true
  let linesToSearch = 0
  let lateAnswer: string | undefined
  const takeMark = (line: string): boolean => {
    if (!isFirst || line.trim() === '') return false
    isFirst = false
    const mark = line.includes('"async"') ? parseObject(line) : undefined
    if (mark?.['async'] !== true) return false
    const { asyncTimeout } = mark
    linesToSearch = MAX_SEARCHED_LINES
    onAsync?.(typeof asyncTimeout === 'number' && asyncTimeout > 0 ? asyncTimeout : undefined)
    return true
  }
  const takeLateAnswer = (line: string): void => {
    linesToSearch -= 1
    const value = line.trimStart().startsWith('{') ? parseObject(line) : undefined
    if (value === undefined || 'async' in value) return
    lateAnswer = line
    linesToSearch = 0
  }
  return {
    take(line) {
      if (takeMark(line)) return
      if (linesToSearch > 0) takeLateAnswer(line)
      length += line.length + 1
      if (length > MAX_OUTPUT) isCut = true
      else lines.push(line)
    },
    read() {
      const stdout = lateAnswer ?? lines.join('\n')
      lines = []
      return { stdout, isCut }
    },
  }
}

interface Texts {
  readonly stdout: string
  readonly stderr: string
  readonly isCut: boolean
}

function toRawRun(exit: ProcessExit, texts: Texts): RawRun {
  switch (exit.kind) {
    case 'exited':
      return { kind: 'ended', exitCode: exit.code, ...texts }
    case 'signalled':
      return { kind: 'ended', exitCode: 128 + constants.signals[exit.signal], ...texts }
    case 'failed-to-start':
      return { kind: 'failed', message: `cannot start: ${exit.message}`, ...texts }
    case 'aborted':
    case 'killed':
    case 'stopped':
    case 'timed-out':
    case 'output-limit':
      return { kind: 'cancelled' }
  }
}
