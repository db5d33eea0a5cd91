import type { TaskRegistry } from '@x/contract'

/** Says that there is no such task, and which ones run. */
export function describeUnknownTask(tasks: TaskRegistry, id: string): string {
  const running = tasks.list().filter(({ end }) => end === undefined)
  if (running.length === 0) return `No task found with ID: ${id}. No background task is running.`
  const lines = running.map(({ task }) => `- ${task.id} (${task.type}): ${task.description}`)
  return [`No task found with ID: ${id}. Running background tasks:`, ...lines].join('\n')
}
