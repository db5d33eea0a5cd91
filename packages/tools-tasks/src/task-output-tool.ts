import { setTimeout as wait } from 'node:timers/promises'
import { defineTool, type TaskRegistry, type TaskView, type Tool } from '@x/contract'
import { z } from 'zod'
import { toPlainText } from './plain-text.ts'
import { type FileTail, readTail } from './read-tail.ts'
import { describeUnknownTask } from './unknown-task.ts'

/** Options of `createTaskOutputTool`. */
export interface TaskOutputToolOptions {
  /** Where the session's background work is known. */
  readonly tasks: TaskRegistry
  /** How much of the end of the output is shown, in bytes. @default 30_000 */
  readonly maxOutputBytes?: number
  /** The outside of the tool. @default the file system */
  readonly operations?: TaskOutputOperations
}

/** What TaskOutput needs from the outside. */
export interface TaskOutputOperations {
  /** Reads the last `maxBytes` of a file; a missing file is empty. */
  readTail(path: string, maxBytes: number): Promise<FileTail>
}

/** What TaskOutput found. */
export interface TaskOutputResult {
  /** `timeout`: still running when the time was up. `not_ready`: still running, and waiting was not asked for. */
  readonly retrieval_status: 'success' | 'timeout' | 'not_ready'
  readonly task: {
    readonly task_id: string
    readonly task_type: string
    readonly status: 'running' | 'completed' | 'failed' | 'killed'
    readonly description: string
    readonly output: string
    /** Bytes of output before the part that is shown. */
    readonly skippedBytes: number
    readonly outputFile: string
    readonly exitCode?: number
  }
}

const inputSchema = z.strictObject({
  task_id: z.string().describe('Id of the background task'),
  block: z.boolean().default(true).describe('Wait for the task to end'),
  timeout: z.number().min(0).max(600_000).default(30_000).describe('Longest wait, in milliseconds'),
})

/** The tool that shows what a background task has written so far, and waits for its end if asked to. */
export type TaskOutputTool = Tool<typeof inputSchema, TaskOutputResult, never>

/** Makes the TaskOutput tool. An unknown id is an input error that lists what runs. */
export function createTaskOutputTool(options: TaskOutputToolOptions): TaskOutputTool {
  const { tasks, maxOutputBytes = 30_000, operations = { readTail } } = options
  return defineTool({
    name: 'TaskOutput',
    aliases: ['BashOutput', 'BashOutputTool', 'AgentOutputTool'],
    description:
      'Shows the output and status of a background task by its id. Waits for its end unless block is false. ' +
      'To look at the output of a task that goes on, prefer Read on its output file; to end a task, use TaskStop.',
    inputSchema,
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    interruptBehavior: () => 'cancel',
    shouldDefer: true,
    async validateInput({ task_id: id }) {
      return tasks.get(id) === undefined
        ? { ok: false, message: describeUnknownTask(tasks, id) }
        : { ok: true }
    },
    async call(input, context) {
      const found = tasks.get(input.task_id)
      if (found === undefined) throw new Error(describeUnknownTask(tasks, input.task_id))
      if (input.block) await waitForEnd(found, input.timeout, context.abortController.signal)
      const view = tasks.get(input.task_id) ?? found
      const tail = await operations.readTail(view.task.outputFile, maxOutputBytes)
      return {
        data: { retrieval_status: retrievalStatus(view, input.block), task: describeTask(view, tail) },
      }
    },
    mapResult: (output, toolUseId) => ({
      type: 'tool_result',
      tool_use_id: toolUseId,
      content: toText(output),
    }),
  })
}

/** Waits until the task has ended or the time is up; rejects with the signal's reason. */
async function waitForEnd({ task, end }: TaskView, timeoutMs: number, signal: AbortSignal): Promise<void> {
  if (end !== undefined) return
  const stop = new AbortController()
  const leave = (): void => stop.abort(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    signal.throwIfAborted()
    await Promise.race([
      task.ended,
      wait(timeoutMs, undefined, { signal: stop.signal }).catch(() => undefined),
    ])
    signal.throwIfAborted()
  } finally {
    signal.removeEventListener('abort', leave)
    stop.abort()
  }
}

function retrievalStatus({ end }: TaskView, didBlock: boolean): TaskOutputResult['retrieval_status'] {
  if (end !== undefined) return 'success'
  return didBlock ? 'timeout' : 'not_ready'
}

function describeTask({ task, end }: TaskView, tail: FileTail): TaskOutputResult['task'] {
  return {
    task_id: task.id,
    task_type: task.type,
    status: end?.status ?? 'running',
    description: task.description,
    output: end?.result ?? toPlainText(tail.text.toWellFormed()),
    skippedBytes: end?.result === undefined ? tail.skippedBytes : 0,
    outputFile: task.outputFile,
    ...(end?.exitCode === undefined ? {} : { exitCode: end.exitCode }),
  }
}

function toText({ retrieval_status: status, task }: TaskOutputResult): string {
  const skipped =
    task.skippedBytes === 0
      ? []
      : [`[${task.skippedBytes} earlier bytes left out; Read ${task.outputFile} for all]`]
  return [
    `retrieval_status: ${status}`,
    `task_id: ${task.task_id}`,
    `task_type: ${task.task_type}`,
    `status: ${task.status}`,
    ...(task.exitCode === undefined ? [] : [`exit_code: ${task.exitCode}`]),
    'output:',
    ...skipped,
    task.output === '' ? '(no output yet)' : task.output,
  ].join('\n')
}
