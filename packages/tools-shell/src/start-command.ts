import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { ToolUseContext } from '@x/contract'
import type { ProcessHandle } from '@x/process'
import type { BashKit } from './bash-kit.ts'
import { commandEnvironment } from './command-environment.ts'
import type { BashSettings } from './options.ts'
import { quote, toShellLine } from './shell-line.ts'
import { findStart } from './working-folder.ts'

/** A command that runs. */
export interface StartedCommand {
  /** Its process. */
  readonly handle: ProcessHandle
  /** Where its output grows. */
  readonly outputFile: string
  /** Where its shell writes the folder it ended in. */
  readonly folderFile: string
  /** Files that are of no use once it has ended, `folderFile` among them. */
  readonly scratchFiles: readonly string[]
  /** The folder it was started in. */
  readonly cwd: string
  /** What the model should know about the start; '' for nothing. */
  readonly notice: string
  /** When it was started, in milliseconds since the epoch. */
  readonly startedAtMs: number
}

/** Linux takes no variable longer than 128 KiB. */
const MAX_VARIABLE_BYTES = 100_000

/**
 * Starts a command with its output on a file.
 *
 * @throws the signal's reason when it aborts before the start; Error when the shell cannot be started.
 */
export async function startCommand(
  kit: BashKit,
  command: string,
  context: ToolUseContext,
): Promise<StartedCommand> {
  const { settings } = kit
  const { operations } = settings
  const { signal } = context.abortController
  signal.throwIfAborted()
  const env = commandEnvironment(context)
  const shell = kit.shell(env)
  const [folder, snapshotFile, start] = await Promise.all([
    kit.outputFolder(),
    kit.snapshotFile({ shell, env, signal }),
    findStart(context, operations),
  ])
  signal.throwIfAborted()
  const name = join(folder, randomUUID())
  const [outputFile, folderFile, scriptFile] = [`${name}.output`, `${name}.cwd`, `${name}.command`]
  const isLong = Buffer.byteLength(command) > MAX_VARIABLE_BYTES
  if (isLong) await operations.writeText(scriptFile, command)
  const line = toShellLine({
    shell,
    command: isLong ? `. ${quote(scriptFile)}` : command,
    folderFile,
    snapshotFile,
    environmentFile: currentFile(settings.environmentFile) ?? '',
    prefix: settings.shellPrefix,
  })
  const handle = operations.start(line.program, line.args, {
    cwd: start.cwd,
    env: { ...env, ...line.env },
    output: { to: 'file', path: outputFile, maxFileBytes: settings.maxOutputFileBytes },
    killGraceMs: settings.killGraceMs,
    settleMs: settings.settleMs,
  })
  const started = {
    handle,
    outputFile,
    folderFile,
    scratchFiles: isLong ? [folderFile, scriptFile] : [folderFile],
    cwd: start.cwd,
    notice: start.notice ?? '',
    startedAtMs: Date.now(),
  }
  if (handle.pid === undefined) await refuse(kit, started)
  return started
}

/** Removes the files of a command that nobody needs any more. */
export async function removeFiles(kit: BashKit, paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => kit.settings.operations.remove(path)))
}

async function refuse(kit: BashKit, { handle, outputFile, scratchFiles }: StartedCommand): Promise<never> {
  const exit = await handle.exited
  await removeFiles(kit, [outputFile, ...scratchFiles])
  throw new Error(exit.kind === 'failed-to-start' ? exit.message : 'The shell did not start')
}

function currentFile(file: BashSettings['environmentFile']): string | undefined {
  return typeof file === 'function' ? file() : file
}
