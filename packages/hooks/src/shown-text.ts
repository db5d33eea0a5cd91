/**
 * Makes a text of a hook fit to be shown and sent: half a character and control characters become a replacement
 * character; line feeds and tabs stay.
 */
export function toShownText(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(control, '\ufffd')
}

// oxlint-disable-next-line no-control-regex -- these are control characters
const control = /[\x00-\x08\x0b-\x1f\x7f]/g
