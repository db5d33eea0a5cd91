import type { ToolResult } from '@x/contract'
import type { ProcessExit } from '@x/process'
import { moveToBackground } from './background.ts'
import type { BashCall } from './bash-call.ts'
import type { BashInput } from './bash-input.ts'
import type { BashKit } from './bash-kit.ts'
import type { BashResult } from './bash-result.ts'
import { collectFailure } from './collect-output.ts'
import { conclude, type Ended } from './conclude.ts'
import { toLines, toSeconds } from './notices.ts'
import { watchProgress } from './progress.ts'
import { findShownFile } from './shown-file.ts'
import { removeFiles, type StartedCommand, startCommand } from './start-command.ts'
import { waitForEnd } from './wait-for-end.ts'

/** Runs a command to its end, or to its time limit, where it is ended or goes on behind the conversation. */
export async function runForeground(kit: BashKit, call: BashCall): Promise<ToolResult<BashResult>> {
  const { input, context } = call
  const { signal } = context.abortController
  const timeoutMs = timeoutOf(kit, input)
  const shown = await findShownFile(kit, input.command, context)
  const started = await startCommand(kit, input.command, context)
  const stopWatching = watchProgress(kit, started, call.onProgress)
  const first = await waitForEnd(started.handle, { timeoutMs, signal }).finally(stopWatching)
  switch (first.kind) {
    case 'exited':
      return conclude(kit, { ...call, started, shown, exit: first.exit })
    case 'timed-out':
      if (mayMove(kit, input.command)) return goOn(kit, call, { started, timeoutMs })
      return conclude(kit, { ...call, started, shown, ...(await endForTime(started, timeoutMs)) })
    case 'aborted':
      await endNow(started)
      await removeFiles(kit, [started.outputFile, ...started.scratchFiles])
      throw signal.reason
  }
}

function timeoutOf({ settings }: BashKit, input: BashInput): number {
  return Math.min(input.timeout ?? settings.defaultTimeoutMs, settings.maxTimeoutMs)
}

function mayMove(kit: BashKit, command: string): boolean {
  const { tasks, allowsBackground } = kit.settings
  if (tasks === undefined || !allowsBackground) return false
  const { isUnderstood, startsWithSleep, hasGit, commands } = kit.analyze(command)
  // A loop whose first command is a sleep does not start with it.
  const isSleep = startsWithSleep && commands[0]?.via.length === 0
  return isUnderstood && !isSleep && !hasGit
}

/** It may have ended by itself at the last moment. */
async function endForTime(
  started: StartedCommand,
  timeoutMs: number,
): Promise<Pick<Ended, 'exit' | 'timedOutAfterMs'>> {
  const exit = await endNow(started)
  return exit.kind === 'killed' ? { exit, timedOutAfterMs: timeoutMs } : { exit }
}

async function endNow({ handle }: StartedCommand): Promise<ProcessExit> {
  await handle.kill('ended')
  return handle.exited
}

interface TimedOut {
  readonly started: StartedCommand
  readonly timeoutMs: number
}

/** The time is up and the command goes on. */
async function goOn(
  kit: BashKit,
  { input, context }: BashCall,
  { started, timeoutMs }: TimedOut,
): Promise<ToolResult<BashResult>> {
  const { tasks } = kit.settings
  if (tasks === undefined) throw new TypeError('There is no registry of background work')
  const { command, description } = input
  const task = await moveToBackground(kit, started, { command, description, context, tasks })
  const { stdout } = await collectFailure(kit, started.outputFile)
  const hint = kit.analyze(command).changesDirectory
    ? `Session cwd remains ${context.cwd}; the command's change of directory does not carry over`
    : undefined
  return {
    data: {
      stdout,
      stderr: toLines([
        started.notice,
        `Command did not complete within its ${toSeconds(timeoutMs)} timeout and was moved to the background ` +
          `with ID: ${task.id}. It goes on; its output is written to: ${task.outputFile}`,
        hint ?? '',
      ]),
      interrupted: false,
      backgroundTaskId: task.id,
      timedOutAfterMs: timeoutMs,
      rawOutputPath: task.outputFile,
      ...(hint === undefined ? {} : { backgroundCwdHint: hint }),
    },
  }
}
