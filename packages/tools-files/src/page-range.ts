/** Pages of a PDF, from 1, both ends included. */
export interface PageRange {
  /** First page. */
  readonly first: number
  /** Last page. */
  readonly last: number
}

/** Most pages of a PDF that one call reads. */
export const MAX_PAGES = 20

/** Reads `"3"` or `"1-5"`; a string says what is wrong. */
export function parsePages(pages: string): PageRange | string {
  const [, from, to] = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(pages) ?? []
  const first = Number(from)
  const last = to === undefined ? first : Number(to)
  if (!(first >= 1 && last >= first))
    return `pages must look like "3" or "1-5", counted from 1, but is "${pages}".`
  if (last - first >= MAX_PAGES)
    return `pages names ${last - first + 1} pages; at most ${MAX_PAGES} can be read in one call.`
  return { first, last }
}
