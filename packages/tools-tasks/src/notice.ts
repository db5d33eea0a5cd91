import { type BackgroundTask, escapeMarkup, reminderText, type TaskEnd, type UserMessage } from '@x/contract'

/** Makes the message that tells the model that a background task has ended. It says that no person wrote it. */
export function toNotice(task: BackgroundTask, end: TaskEnd): UserMessage {
  const lines = [
    'This notice comes from the program that runs your tools; no human wrote it.',
    '<task-notification>',
    `<task-id>${escapeMarkup(task.id)}</task-id>`,
    `<tool-use-id>${escapeMarkup(task.toolUseId)}</tool-use-id>`,
    `<output-file>${escapeMarkup(task.outputFile)}</output-file>`,
    `<status>${end.status}</status>`,
    `<summary>${escapeMarkup(end.summary)}</summary>`,
    ...(end.result === undefined ? [] : [`<result>${escapeMarkup(end.result)}</result>`]),
    '</task-notification>',
  ]
  return { role: 'user', content: [{ type: 'text', text: reminderText(lines.join('\n')) }] }
}
