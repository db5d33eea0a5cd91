import { raceAbort } from '@x/abort'
import { defineTool, type TaskRegistry, type TaskView, type Tool } from '@x/contract'
import { z } from 'zod'
import { shorten } from './shorten.ts'
import { describeUnknownTask } from './unknown-task.ts'

/** Options of `createTaskStopTool`. */
export interface TaskStopToolOptions {
  /** Where the session's background work is known. */
  readonly tasks: TaskRegistry
}

/** What TaskStop did. */
export interface TaskStopResult {
  readonly message: string
  readonly task_id: string
  readonly task_type: string
  readonly command?: string
}

const inputSchema = z.strictObject({
  task_id: z.string().optional().describe('Id of the background task, or id or name of an agent'),
  shell_id: z.string().optional().describe('Old name of task_id'),
})

/** The tool that ends a background task. */
export type TaskStopTool = Tool<typeof inputSchema, TaskStopResult, never>

/** Makes the TaskStop tool. An unknown id, and a task that has ended, are input errors. */
export function createTaskStopTool({ tasks }: TaskStopToolOptions): TaskStopTool {
  return defineTool({
    name: 'TaskStop',
    aliases: ['KillShell', 'KillBash'],
    description:
      'Ends a running background task by its id, with every process it started. ' +
      'To look at what it wrote, use Read on its output file instead.',
    inputSchema,
    maxResultSizeChars: 100_000,
    shouldDefer: true,
    async validateInput({ task_id: id, shell_id: oldId }) {
      const wanted = id ?? oldId
      if (wanted === undefined) return { ok: false, message: 'Missing required parameter: task_id' }
      const view = tasks.get(wanted)
      if (view === undefined) return { ok: false, message: describeUnknownTask(tasks, wanted) }
      return view.end === undefined ? { ok: true } : { ok: false, message: describeEnded(view) }
    },
    async call({ task_id: id, shell_id: oldId }, { abortController: { signal } }) {
      const view = tasks.get(id ?? oldId ?? '')
      if (view === undefined) throw new Error(describeUnknownTask(tasks, id ?? oldId ?? ''))
      // Whoever stops the work that it is itself part of is ended by that, and cannot wait for its own end.
      await raceAbort(stop(tasks, view), signal)
      return { data: describeStopped(tasks.get(view.task.id) ?? view) }
    },
    mapResult: (output, toolUseId) => ({
      type: 'tool_result',
      tool_use_id: toolUseId,
      content: JSON.stringify(output),
    }),
  })
}

/** Resolves when the registry knows the end: the next call must not see a task that still runs. */
async function stop(tasks: TaskRegistry, { task }: TaskView): Promise<void> {
  const { promise: known, resolve } = Promise.withResolvers<void>()
  const leave = tasks.subscribe(({ kind, view }) => {
    if (kind === 'end' && view.task.id === task.id) resolve()
  })
  try {
    await task.stop()
    if (tasks.get(task.id)?.end === undefined) await known
  } finally {
    leave()
  }
}

function describeEnded({ task, end }: TaskView): string {
  return `Task ${task.id} is not running (status: ${end?.status ?? 'unknown'}). Read ${task.outputFile} for its output.`
}

function describeStopped({ task, end }: TaskView): TaskStopResult {
  const name = `${task.id} (${shorten(task.command ?? task.description)})`
  const isStopped = end === undefined || end.status === 'killed'
  return {
    message: isStopped
      ? `Successfully stopped task: ${name}`
      : `Task ${name} had ended by itself when it was to be stopped (status: ${end.status}). Read ${task.outputFile} for its output.`,
    task_id: task.id,
    task_type: task.type,
    ...(task.command === undefined ? {} : { command: task.command }),
  }
}
