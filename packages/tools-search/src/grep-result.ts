import type { PageFacts } from './page-facts.ts'

/** What Grep found. */
export interface GrepToolResult extends PageFacts {
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
}

/** What the model gets to read. */
export function toGrepText(result: GrepToolResult): string {
  const { note } = result
  const parts = [toBody(result)]
  if (result.mode === 'count' && result.totalFiles !== 0) {
    parts.push(`Total: ${result.numMatches} matching lines in ${result.totalFiles} files`)
  }
  if (note !== undefined) parts.push(`(${note})`)
  return parts.join('\n\n')
}

function toBody({ mode, filenames, content, totalFiles, appliedOffset }: GrepToolResult): string {
  if (filenames.length > 0) return mode === 'files_with_matches' ? filenames.join('\n') : (content ?? '')
  if (appliedOffset !== undefined && totalFiles !== 0) return 'No entries at this offset'
  return mode === 'files_with_matches' ? 'No files found' : 'No matches found'
}
