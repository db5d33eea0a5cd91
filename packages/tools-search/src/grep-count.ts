import { toGrepArgs } from './grep-args.ts'
import type { GrepInput, PageRequest } from './grep-input.ts'
import type { GrepToolResult } from './grep-result.ts'
import { createRecordReader } from './printed-record.ts'
import type { Search } from './run-search.ts'
import { describePage, describeWarning, joinText } from './search-note.ts'
import { createPageTaker } from './take-page.ts'

/** Matching lines of each file, by path, and the total of all. */
export async function countMatches(
  search: Search,
  input: GrepInput,
  page: PageRequest,
): Promise<GrepToolResult> {
  const counts = new Map<string, number>()
  const { warning } = await search.run(
    toGrepArgs(input, search.place, ['--count']),
    createRecordReader(({ path, rest }) => {
      const file = search.toAbsolute(path)
      if (!search.isHidden(file)) counts.set(search.toShown(file).toWellFormed(), Number(rest))
      return true
    }),
  )
  const taker = createPageTaker(page)
  const paths = [...counts.keys()].toSorted()
  paths.every((path) => taker.offer(`${path}:${counts.get(path)}`))
  const { offset } = page
  const filenames = paths.slice(offset, offset + taker.shown.length)
  const note = joinText(
    filenames.length === 0
      ? undefined
      : describePage('files', { offset, shown: filenames.length, total: paths.length }),
    warning === undefined ? undefined : describeWarning(warning),
  )
  return {
    mode: 'count',
    numFiles: filenames.length,
    filenames,
    content: taker.shown.join('\n'),
    numMatches: counts.values().reduce((sum, count) => sum + count, 0),
    totalFiles: paths.length,
    ...(offset + filenames.length < paths.length ? { appliedLimit: filenames.length } : {}),
    ...(offset > 0 ? { appliedOffset: offset } : {}),
    ...(note === '' ? {} : { note }),
  }
}
