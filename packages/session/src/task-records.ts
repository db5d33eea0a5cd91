import type { SystemRecord, TaskRegistry, TaskView } from '@x/contract'

/** The records that tell of one change of the background work: what started or ended, and the whole live set. */
export function taskRecords(
  kind: 'start' | 'end',
  view: TaskView,
  tasks: TaskRegistry,
): readonly SystemRecord[] {
  const own = kind === 'start' ? [startRecord(view)] : endRecords(view)
  return [...own, liveSetRecord(tasks)]
}

function startRecord({ task }: TaskView): SystemRecord {
  return {
    type: 'system',
    subtype: 'task_started',
    task_id: task.id,
    tool_use_id: task.toolUseId,
    description: task.description,
    task_type: task.type,
    is_backgrounded: true,
  }
}

function endRecords({ task, end }: TaskView): readonly SystemRecord[] {
  if (end === undefined) return []
  const status = end.status === 'killed' ? 'stopped' : end.status
  return [
    {
      type: 'system',
      subtype: 'task_notification',
      task_id: task.id,
      tool_use_id: task.toolUseId,
      status,
      output_file: task.outputFile,
      summary: end.summary,
    },
  ]
}

function liveSetRecord(tasks: TaskRegistry): SystemRecord {
  const live = tasks.list().filter(({ end }) => end === undefined)
  return {
    type: 'system',
    subtype: 'background_tasks_changed',
    tasks: live.map(({ task }) => ({
      task_id: task.id,
      task_type: task.type,
      description: task.description,
    })),
  }
}
