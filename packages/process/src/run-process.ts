import type { CapturedText } from './capture.ts'
import type { ProcessExit } from './exit.ts'
import type { ProcessOptions } from './options.ts'
import { startProcess } from './start-process.ts'

/** How a process ended and what it wrote. */
export interface ProcessResult {
  /** How it ended. */
  readonly exit: ProcessExit
  /** Standard output; empty when it went to a file or to `onLine`. */
  readonly stdout: CapturedText
  /** Standard error; empty when it went to a file. */
  readonly stderr: CapturedText
}

/**
 * Starts a program and waits for its end. See `startProcess`.
 *
 * @throws RangeError if a number in the options is out of range.
 *
 * @example
 * const { exit, stdout } = await runProcess('git', ['rev-parse', 'HEAD'], { cwd })
 * if (exit.kind === 'exited' && exit.code === 0) console.log(stdout.text)
 */
export async function runProcess(
  command: string,
  args: readonly string[] = [],
  options: ProcessOptions = {},
): Promise<ProcessResult> {
  const child = startProcess(command, args, options)
  const exit = await child.exited
  return { exit, ...child.captured() }
}
