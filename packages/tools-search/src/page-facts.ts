import type { PageRequest } from './grep-input.ts'

/** What a result says about the part of the whole that it shows. */
export interface PageFacts {
  /** Set when the limit cut the result: entries shown. */
  readonly appliedLimit?: number
  /** Set when entries at the beginning were left out: how many. */
  readonly appliedOffset?: number
  /** For the model: what is shown of how much and how to get more, and what could not be searched. */
  readonly note?: string
}

/** How much of the whole is shown. */
export interface ShownPart {
  /** What the entries are, in the plural. */
  readonly unit: 'lines' | 'files'
  /** Entries shown. */
  readonly shown: number
  /** Entries there are; undefined when the search was stopped before the end. */
  readonly total: number | undefined
  /** So many there are at least. @default those up to the end of the page */
  readonly counted?: number
  /** What else there is to say. */
  readonly note: string | undefined
}

/** Tells what a page shows of the whole. */
export function toPageFacts({ offset }: PageRequest, part: ShownPart): PageFacts {
  const { shown, total } = part
  const isCut = total === undefined || offset + shown < total
  const notes = [describePart(offset, part), part.note].filter((note) => note !== undefined)
  return {
    ...(isCut && shown > 0 ? { appliedLimit: shown } : {}),
    ...(offset > 0 ? { appliedOffset: offset } : {}),
    ...(notes.length > 0 ? { note: notes.join(' ') } : {}),
  }
}

function describePart(offset: number, { unit, shown, total, counted = 0 }: ShownPart): string | undefined {
  const end = offset + shown
  if (shown === 0 || (offset === 0 && end === total)) return undefined
  const facts = `Showing ${unit} ${offset + 1} to ${end} of ${total ?? `more than ${Math.max(end, counted)}`}.`
  if (end === total) return facts
  return `${facts} For more use offset: ${end}; for less narrow it with path, glob, type or pattern.`
}
