import { type BackgroundTask, reminderText, type TaskEnd, type UserMessage } from '@x/contract'

/** Makes the message that tells the model that a background task has ended. It says that no person wrote it. */
export function toNotice(task: BackgroundTask, end: TaskEnd): UserMessage {
  const lines = [
    'This notice comes from the program that runs your tools; no human wrote it.',
    '<task-notification>',
    `<task-id>${escapeText(task.id)}</task-id>`,
    `<tool-use-id>${escapeText(task.toolUseId)}</tool-use-id>`,
    `<output-file>${escapeText(task.outputFile)}</output-file>`,
    `<status>${end.status}</status>`,
    `<summary>${escapeText(end.summary)}</summary>`,
    ...(end.result === undefined ? [] : [`<result>${escapeText(end.result)}</result>`]),
    '</task-notification>',
  ]
  return { role: 'user', content: [{ type: 'text', text: reminderText(lines.join('\n')) }] }
}

/** A command's own text must not be able to close the notice and speak for the program. */
function escapeText(text: string): string {
  return text.toWellFormed().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
