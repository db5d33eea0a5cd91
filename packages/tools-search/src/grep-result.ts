/** What Grep found. */
export interface GrepToolResult {
  /** What the entries are. */
  readonly mode: 'content' | 'files_with_matches' | 'count'
  /** Files in `filenames`. */
  readonly numFiles: number
  /** The files of this result; relative to the working folder where they are below it, else absolute. */
  readonly filenames: readonly string[]
  /** The text of the entries: lines in content mode, counts in count mode. */
  readonly content?: string
  /** Lines in `content`, those around matches too. Content mode only. */
  readonly numLines?: number
  /** Matching lines in all files, whatever part is shown. Count mode only. */
  readonly numMatches?: number
  /** All files with a match; absent where the search was stopped before the end. */
  readonly totalFiles?: number
  /** All lines there are; absent where the search was stopped before the end. Content mode only. */
  readonly totalLines?: number
  /** Set when the limit cut the result. */
  readonly appliedLimit?: number
  /** Set when entries at the beginning were left out. */
  readonly appliedOffset?: number
  /** What is shown of how much and how to get more, and what could not be searched. */
  readonly note?: string
}

const NOTHING = {
  content: 'No matches found',
  files_with_matches: 'No files found',
  count: 'No matches found',
}

/** What the model gets to read. */
export function toGrepText({
  mode,
  content,
  filenames,
  note,
  appliedOffset,
  totalFiles,
  numMatches,
}: GrepToolResult): string {
  const body = mode === 'files_with_matches' ? filenames.join('\n') : (content ?? '')
  const isEmpty = filenames.length === 0
  const isPastEnd = isEmpty && appliedOffset !== undefined && totalFiles !== 0
  const total =
    mode === 'count' && totalFiles !== 0 ? `Total: ${numMatches} matching lines in ${totalFiles} files.` : ''
  const head = isPastEnd ? 'No entries at this offset' : isEmpty ? NOTHING[mode] : body
  return [head, total, note === undefined ? '' : `(${note})`].filter((part) => part !== '').join('\n\n')
}
