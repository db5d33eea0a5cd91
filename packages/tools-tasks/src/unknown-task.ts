import type { TaskRegistry } from '@x/contract'
import { shorten } from './shorten.ts'

/** Says that there is no such task, and which ones run. */
export function describeUnknownTask(tasks: TaskRegistry, id: string): string {
  const running = tasks.list().filter(({ end }) => end === undefined)
  const wanted = shorten(id)
  if (running.length === 0) return `No task found with ID: ${wanted}. No background task is running.`
  const lines = running.map(({ task }) => `- ${task.id} (${task.type}): ${shorten(task.description)}`)
  return [`No task found with ID: ${wanted}. Running background tasks:`, ...lines].join('\n')
}
