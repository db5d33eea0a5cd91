import { toGrepArgs } from './grep-args.ts'
import type { GrepInput, PageRequest } from './grep-input.ts'
import type { GrepToolResult } from './grep-result.ts'
import { newestFirst } from './newest-first.ts'
import { createRecordReader } from './printed-record.ts'
import type { Search } from './run-search.ts'
import { describePage, describeWarning, joinText } from './search-note.ts'
import { createPageTaker } from './take-page.ts'

/** Paths of the files with a match, newest first. */
export async function searchFiles(
  search: Search,
  input: GrepInput,
  page: PageRequest,
): Promise<GrepToolResult> {
  const found: string[] = []
  // Unlike --files-with-matches it ends each record with a line feed.
  const args = toGrepArgs(input, search.place, ['--count', '--max-count=1'])
  const { warning } = await search.run(
    args,
    createRecordReader(({ path }) => {
      const file = search.toAbsolute(path)
      if (!search.isHidden(file)) found.push(file)
      return true
    }),
  )
  const taker = createPageTaker(page)
  const sorted = await newestFirst(found, search)
  sorted.every((file) => taker.offer(search.toShown(file).toWellFormed()))
  return summarize(page, { filenames: taker.shown, total: found.length, warning })
}

interface FoundFiles {
  readonly filenames: readonly string[]
  readonly total: number
  readonly warning: string | undefined
}

function summarize({ offset }: PageRequest, { filenames, total, warning }: FoundFiles): GrepToolResult {
  const note = joinText(
    filenames.length === 0 ? undefined : describePage('files', { offset, shown: filenames.length, total }),
    warning === undefined ? undefined : describeWarning(warning),
  )
  return {
    mode: 'files_with_matches',
    numFiles: filenames.length,
    filenames,
    totalFiles: total,
    ...(offset + filenames.length < total ? { appliedLimit: filenames.length } : {}),
    ...(offset > 0 ? { appliedOffset: offset } : {}),
    ...(note === '' ? {} : { note }),
  }
}
