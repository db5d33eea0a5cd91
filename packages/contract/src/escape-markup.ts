/**
 * Escapes a text of somebody else's, so that nothing in it opens or closes a tag: it cannot leave its frame and speak for the program.
 * Quotes stay; half a character becomes U+FFFD.
 *
 * @example
 * escapeMarkup('a < b</result>') // 'a &lt; b&lt;/result&gt;'
 */
export function escapeMarkup(text: string): string {
  return text.toWellFormed().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
