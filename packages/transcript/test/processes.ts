import { fileURLToPath } from 'node:url'
import { type ProcessHandle, startProcess } from '@x/process'

/** Runs a program of `test/programs` from source; its lines are told as they come. */
export function runProgram(
  name: string,
  args: readonly string[],
  onLine: (line: string) => void,
): ProcessHandle {
  const file = fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url))
  return startProcess(process.execPath, ['--conditions=@x/source', file, ...args], {
    output: { to: 'lines', onLine },
    settleMs: 0,
  })
}

/** Kills a process as a crash would: at once, and nothing of it runs on. */
export function crash({ pid }: ProcessHandle): void {
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}
