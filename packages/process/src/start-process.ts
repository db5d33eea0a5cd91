import { createCapture } from './capture.ts'
import type { ProcessExit, StartFailure } from './exit.ts'
import { launch } from './launch.ts'
import { assertOptions, type ProcessOptions } from './options.ts'
import type { CapturedOutput } from './sink.ts'
import { writeStdin } from './stdin.ts'
import { Supervisor } from './supervisor.ts'

/** A started process, and the way to stop it. `await using` ends it at the end of the block. */
export interface ProcessHandle extends AsyncDisposable {
  /** Process id of the main process; undefined when it was not started. */
  readonly pid: number | undefined
  /**
   * Resolves once the main process has exited, its leftovers are dealt with and its output is complete.
   *
   * Waits for the exit and not for the pipes, so a process that got away and holds one delays it by a fraction of a
   * second at most. Rejects only with what `onLine` threw.
   */
  readonly exited: Promise<ProcessExit>
  /** What has been kept of the output so far. */
  captured(): CapturedOutput
  /**
   * Writes to standard input, with `keepInputOpen`. Resolves with true once the system has taken it (a process that does not read
   * lets it wait), with false if the process takes no more. Never rejects.
   */
  write(data: string | Uint8Array): Promise<boolean>
  /** Ends standard input: the process reads what was written, then the end of file. Harmless twice. */
  endInput(): void
  /**
   * Ends the whole tree, also what was kept after the main process's exit, and resolves when it is gone. The first
   * cause wins; calling it again, or after the end, is harmless.
   */
  kill(reason?: unknown): Promise<void>
}

/**
 * Starts a program in a process group of its own.
 *
 * Whatever happens comes out of `exited` as a value: also a missing command, an abort, a timeout. An abort or timeout
 * ends the whole tree and keeps the output so far.
 *
 * @throws RangeError if a number in the options is out of range.
 *
 * @example
 * const child = startProcess('bash', ['-c', 'echo hi'], { timeoutMs: 5000 })
 * await child.exited // { kind: 'exited', code: 0, ... }
 * child.captured().stdout.text // 'hi\n'
 */
export function startProcess(
  command: string,
  args: readonly string[] = [],
  options: ProcessOptions = {},
): ProcessHandle {
  assertOptions(options)
  if (options.signal?.aborted === true) {
    return neverStarted(Promise.resolve({ kind: 'aborted', reason: options.signal.reason }))
  }
  const launched = launch(command, args, options)
  if ('failure' in launched) return neverStarted(launched.failure)
  const supervisor = new Supervisor(launched, options)
  const kill = async (reason?: unknown): Promise<void> => {
    supervisor.end({ kind: 'killed', reason })
    await supervisor.endKept()
  }
  return {
    pid: launched.tree.pid,
    exited: supervisor.exited,
    captured: () => launched.sink.captured(),
    write: (data) => writeStdin(launched.child.stdin, data),
    endInput: () => void launched.child.stdin?.end(),
    kill,
    [Symbol.asyncDispose]: () => kill(),
  }
}

function neverStarted(end: Promise<StartFailure | { kind: 'aborted'; reason: unknown }>): ProcessHandle {
  const nothing = createCapture(0).read()
  const startedAt = performance.now()
  const toExit = async (): Promise<ProcessExit> => {
    const reason = await end
    return { ...reason, durationMs: performance.now() - startedAt, leftovers: { ended: 0, kept: [] } }
  }
  const exited = toExit()
  return {
    pid: undefined,
    exited,
    captured: () => ({ stdout: nothing, stderr: nothing }),
    write: async () => false,
    endInput: () => {},
    kill: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
}
