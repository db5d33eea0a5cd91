import { reminderText, type UserMessage } from '@x/contract'

/** A message for the model that no person wrote. */
export function toReminder(text: string): UserMessage {
  return { role: 'user', content: [{ type: 'text', text: reminderText(text) }] }
}
