const MAX_CHARS = 200

/** A text of the model's in one line of a message, however long it is. */
export function shorten(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS).toWellFormed()}…`
}
