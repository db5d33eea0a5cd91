import type { BackgroundTask, TaskEnd, TaskRegistry, ToolUseContext } from '@x/contract'
import type { ProcessExit } from '@x/process'
import type { BashKit } from './bash-kit.ts'
import { removeFiles, type StartedCommand } from './start-command.ts'

/** A command that goes on behind the conversation. */
export interface BackgroundRequest {
  /** The command. */
  readonly command: string
  /** What it is for, in the model's words. */
  readonly description: string | undefined
  /** The context of the call that started it. */
  readonly context: ToolUseContext
  /** Where background work is known. */
  readonly tasks: TaskRegistry
}

/**
 * Hands a running command over to the registry. From here on the call and its signal no longer concern it.
 *
 * Rejects with what the registry throws; the command is ended then.
 */
export async function moveToBackground(
  kit: BashKit,
  started: StartedCommand,
  request: BackgroundRequest,
): Promise<BackgroundTask> {
  try {
    const task = toTask(kit, started, request)
    request.tasks.add(task)
    return task
  } catch (error) {
    await started.handle.kill(error)
    throw error
  }
}

function toTask(
  kit: BashKit,
  started: StartedCommand,
  { command, description, context, tasks }: BackgroundRequest,
): BackgroundTask {
  const { handle, outputFile, startedAtMs } = started
  const label = description ?? command
  return {
    id: tasks.nextId('bash'),
    type: 'local_bash',
    description: label,
    command,
    toolUseId: context.toolUseId,
    ...(context.agent === undefined ? {} : { agentId: context.agent.id }),
    outputFile,
    startedAtMs,
    ended: endOf(kit, started, label),
    stop: () => handle.kill('stopped'),
  }
}

async function endOf(
  kit: BashKit,
  { handle, scratchFiles }: StartedCommand,
  label: string,
): Promise<TaskEnd> {
  try {
    const exit = await handle.exited
    await removeFiles(kit, scratchFiles)
    return toTaskEnd(exit, `Background command "${shorten(label)}"`)
  } catch (error) {
    return { status: 'failed', summary: `Background command "${shorten(label)}" failed: ${String(error)}` }
  }
}

function toTaskEnd(exit: ProcessExit, name: string): TaskEnd {
  switch (exit.kind) {
    case 'exited':
      return exit.code === 0
        ? { status: 'completed', summary: `${name} completed (exit code 0)`, exitCode: 0 }
        : { status: 'failed', summary: `${name} failed with exit code ${exit.code}`, exitCode: exit.code }
    case 'signalled':
      return { status: 'killed', summary: `${name} was ended by ${exit.signal}` }
    case 'output-limit':
      return {
        status: 'killed',
        summary: `${name} was ended: its output grew past the limit of ${exit.maxFileBytes} bytes`,
      }
    case 'failed-to-start':
      return { status: 'failed', summary: `${name} failed: ${exit.message}` }
    case 'killed':
    case 'aborted':
    case 'timed-out':
    case 'stopped':
      return { status: 'killed', summary: `${name} was stopped` }
  }
}

/** The label stands in one line of a notice. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= 200 ? line : `${line.slice(0, 199).toWellFormed()}…`
}
