/** Which of the entries are shown. */
export interface Page {
  /** Entries left out at the beginning. */
  readonly offset: number
  /** Entries shown. */
  readonly shown: number
  /** Entries there are, as far as they were counted. */
  readonly total: number
  /** There are more than were counted. @default false */
  readonly hasMore?: boolean
}

/** Says what of the whole is shown and how to get the rest; undefined if all of it is. */
export function describePage(
  unit: string,
  { offset, shown, total, hasMore = false }: Page,
): string | undefined {
  const end = offset + shown
  if (offset === 0 && end >= total && !hasMore) return undefined
  const of = hasMore ? `more than ${total}` : `${total}`
  const facts = `Showing ${unit} ${offset + 1} to ${end} of ${of}.`
  if (end >= total && !hasMore) return facts
  return `${facts} For more use offset ${end}; for less narrow it with path, glob, type or pattern.`
}

const MAX_WARNING_LINES = 5

/** Says in few lines what could not be searched. */
export function describeWarning(warning: string): string {
  const lines = warning.split('\n').map((line) => line.replace(/^rg: (\.\/)?/u, ''))
  const rest = lines.length - MAX_WARNING_LINES
  const shown = lines.slice(0, MAX_WARNING_LINES).join('; ')
  return `Some entries could not be searched: ${shown}${rest > 0 ? `; and ${rest} more` : ''}`
}

/** Joins what there is to say, a paragraph each. */
export function joinText(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}
