import { fileURLToPath } from 'node:url'
import { type ProcessHandle, startProcess } from '@x/process'

const programs = {
  writer: new URL('./programs/writer.ts', import.meta.url),
  contender: new URL('./programs/contender.ts', import.meta.url),
}

/** Runs a program of `test/programs` from source; its lines are told as they come. */
export function runProgram(
  name: keyof typeof programs,
  args: readonly string[],
  onLine: (line: string) => void,
): ProcessHandle {
  return startProcess(process.execPath, ['--conditions=@x/source', fileURLToPath(programs[name]), ...args], {
    output: { to: 'lines', onLine },
    settleMs: 0,
  })
}

/** Kills a process as a crash would: at once, and nothing of it runs on. */
export function crash({ pid }: ProcessHandle): void {
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}
