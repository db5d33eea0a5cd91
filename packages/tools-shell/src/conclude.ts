import type { ToolResult } from '@x/contract'
import type { ProcessExit } from '@x/process'
import type { BashCall } from './bash-call.ts'
import type { BashKit } from './bash-kit.ts'
import { type BashResult, isFailure } from './bash-result.ts'
import { type CollectedOutput, collectFailure, collectOutput } from './collect-output.ts'
import { endNotices, toExitCode } from './exit-facts.ts'
import { interpretExit } from './interpret-exit.ts'
import { toLines, toSeconds } from './notices.ts'
import type { ShownFile } from './shown-file.ts'
import { removeFiles, type StartedCommand } from './start-command.ts'
import { type FolderMove, findMove } from './working-folder.ts'

/** A command that has ended. */
export interface Ended extends BashCall {
  /** How it was started. */
  readonly started: StartedCommand
  /** The file it showed, where it did nothing else. */
  readonly shown: ShownFile | undefined
  /** How it ended. */
  readonly exit: ProcessExit
  /** Its time limit, where that is why it ended. */
  readonly timedOutAfterMs?: number
}

/** Makes the result of a command that has ended, and removes the files nobody needs. */
export async function conclude(kit: BashKit, ended: Ended): Promise<ToolResult<BashResult>> {
  const outcome = judge(kit, ended)
  const output = await collect(kit, ended, outcome)
  const move = ended.timedOutAfterMs === undefined ? await moveOf(kit, ended) : {}
  const { outputFile, scratchFiles } = ended.started
  const isFileNeeded = output.persistedOutputPath !== undefined || output.rawOutputPath !== undefined
  await removeFiles(kit, isFileNeeded ? scratchFiles : [...scratchFiles, outputFile])
  if (outcome.exitCode === 0 && output.persistedOutputPath === undefined) ended.shown?.remember()
  const data = { ...output, ...outcome, stderr: noticesOf(ended, move) }
  return { data, ...(isFailure(data) && { isError: true }), ...toModifier(ended, move) }
}

type Outcome = Omit<BashResult, 'stdout' | 'stderr'> & { readonly exitCode: number }

function judge(kit: BashKit, { exit, input, timedOutAfterMs }: Ended): Outcome {
  const exitCode = toExitCode(exit, timedOutAfterMs !== undefined)
  const meaning = exit.kind === 'exited' ? interpretExit(exitCode, kit.analyze(input.command)) : undefined
  return {
    interrupted: exit.kind !== 'exited' && exit.kind !== 'signalled',
    exitCode,
    ...(meaning !== undefined && { returnCodeInterpretation: meaning }),
    ...(timedOutAfterMs !== undefined && { timedOutAfterMs }),
  }
}

function collect(kit: BashKit, { started }: Ended, outcome: Outcome): Promise<CollectedOutput> {
  const isFailed = isFailure({ stdout: '', stderr: '', ...outcome })
  return isFailed ? collectFailure(kit, started.outputFile) : collectOutput(kit, started.outputFile)
}

async function moveOf({ settings }: BashKit, { context, started }: Ended): Promise<FolderMove> {
  const { operations, maintainsProjectDirectory } = settings
  const written = await operations.readText(started.folderFile)
  // A line feed ends what `pwd` writes; any other belongs to the name.
  const endedIn = written?.replace(/\n$/, '')
  return findMove({ context, startedIn: started.cwd, endedIn, maintainsProjectDirectory, operations })
}

function noticesOf({ started, exit, timedOutAfterMs }: Ended, move: FolderMove): string {
  const timedOut =
    timedOutAfterMs === undefined ? '' : `Command timed out after ${toSeconds(timedOutAfterMs)}`
  return toLines([started.notice, timedOut, ...endNotices(exit), move.notice ?? ''])
}

function toModifier(
  { context }: Ended,
  { cwd }: FolderMove,
): Pick<ToolResult<BashResult>, 'contextModifier'> {
  return cwd === undefined || cwd === context.cwd ? {} : { contextModifier: (old) => ({ ...old, cwd }) }
}
