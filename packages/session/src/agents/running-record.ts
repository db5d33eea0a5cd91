import type { JsonObject } from '@x/contract'
import type { RunningTask } from '@x/subagent'

/** The kind of record that says what an agent runs in the background. Ours: readers of other programs pass it over. */
export const runningRecordType = 'x-running-tasks'

/** The record of what runs now. */
export function toRunningRecord(tasks: readonly RunningTask[]): JsonObject & { readonly type: string } {
  return { type: runningRecordType, tasks: tasks.map((task) => ({ ...task })) }
}

/** What the last record says; an entry that somebody has changed is passed over. */
export function readRunningRecord(record: JsonObject | undefined): readonly RunningTask[] {
  const tasks: unknown = record?.['tasks']
  return Array.isArray(tasks) ? tasks.flatMap((task: unknown) => (isRunningTask(task) ? [task] : [])) : []
}

function isRunningTask(value: unknown): value is RunningTask {
  if (typeof value !== 'object' || value === null) return false
  const { id, type, description, aliases } = { aliases: [], ...value } as Record<keyof RunningTask, unknown>
  const isNamed = Array.isArray(aliases) && aliases.every((alias) => typeof alias === 'string')
  return isNamed && typeof id === 'string' && typeof description === 'string' && isTaskType(type)
}

function isTaskType(type: unknown): type is RunningTask['type'] {
  return type === 'local_bash' || type === 'local_agent' || type === 'remote_agent'
}
