import type { UserMessage } from '@x/contract'

/** A message for the model that no person wrote. */
export function toReminder(text: string): UserMessage {
  return { role: 'user', content: [{ type: 'text', text: reminderText(text) }] }
}

/** A text in the frame of what no person wrote. */
export function reminderText(text: string): string {
  return `<system-reminder>\n${text}\n</system-reminder>`
}
