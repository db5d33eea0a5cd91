import type { SystemRecord, TaskChange, TaskRegistry, TaskUsage, TaskView } from '@x/contract'

/** The records that tell of one change of the background work; with a start or an end the whole live set. */
export function taskRecords({ kind, view }: TaskChange, tasks: TaskRegistry): readonly SystemRecord[] {
  switch (kind) {
    case 'start':
      return [startRecord(view), liveSetRecord(tasks)]
    case 'progress':
      return progressRecords(view)
    case 'end':
      return [...endRecords(view), liveSetRecord(tasks)]
  }
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
    ...(task.agent && { spawn_depth: task.agent.depth }),
  }
}

function progressRecords({ task, progress }: TaskView): readonly SystemRecord[] {
  if (progress === undefined) return []
  const { lastToolName } = progress
  return [
    {
      type: 'system',
      subtype: 'task_progress',
      task_id: task.id,
      description: task.description,
      ...(task.agent && { subagent_type: task.agent.type }),
      usage: toUsage(progress),
      ...(lastToolName !== undefined && { last_tool_name: lastToolName }),
    },
  ]
}

function endRecords({ task, end }: TaskView): readonly SystemRecord[] {
  if (end === undefined) return []
  const { status, summary, usage } = end
  const error = status === 'failed' ? { error: summary } : {}
  return [
    {
      type: 'system',
      subtype: 'task_updated',
      task_id: task.id,
      patch: { status, end_time: Date.now(), ...error },
    },
    {
      type: 'system',
      subtype: 'task_notification',
      task_id: task.id,
      tool_use_id: task.toolUseId,
      status: status === 'killed' ? 'stopped' : status,
      output_file: task.outputFile,
      summary,
      ...(usage && { usage: toUsage(usage) }),
    },
  ]
}

function toUsage({ totalTokens, toolUses, durationMs }: TaskUsage): object {
  return { total_tokens: totalTokens, tool_uses: toolUses, duration_ms: durationMs }
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
