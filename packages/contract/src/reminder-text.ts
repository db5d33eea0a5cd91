/**
 * Puts a text into the frame that tells the model that no person wrote it. What could close the frame early is the caller's to
 * escape, with `escapeMarkup` say.
 *
 * @example
 * reminderText('The file changed.') // '<system-reminder>\nThe file changed.\n</system-reminder>'
 */
export function reminderText(text: string): string {
  return `<system-reminder>\n${text}\n</system-reminder>`
}
