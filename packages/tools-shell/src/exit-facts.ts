import { constants } from 'node:os'
import type { ProcessExit } from '@x/process'

/** Exit code of a command that was ended because its time was up: 128 + TERM. */
const TIMED_OUT_CODE = 143

/** Exit code of a command that was killed: 128 + KILL. */
const KILLED_CODE = 137

/** The exit code as a shell would tell it. */
export function toExitCode(exit: ProcessExit, isTimedOut: boolean): number {
  if (isTimedOut) return TIMED_OUT_CODE
  if (exit.kind === 'exited') return exit.code
  if (exit.kind === 'signalled') return 128 + constants.signals[exit.signal]
  return KILLED_CODE
}

/** What the model should know about the end of a command, one line each. */
export function endNotices(exit: ProcessExit): readonly string[] {
  const notices: string[] = []
  if (exit.kind === 'signalled') notices.push(`The command was ended by ${exit.signal}`)
  if (exit.kind === 'output-limit') {
    notices.push(`The command was ended: its output grew past the limit of ${exit.maxFileBytes} bytes`)
  }
  const { ended, kept } = exit.leftovers
  if (ended > 0 && exit.kind === 'exited') {
    const what = ended === 1 ? '1 process' : `${ended} processes`
    notices.push(
      `${what} left running by the command ended with it. To keep a process running, use run_in_background`,
    )
  }
  if (kept.length > 0) notices.push(`Still running, could not be ended: ${kept.join(', ')}`)
  return notices
}
