import { createFileSorter } from './file-sorter.ts'
import { toGrepArgs } from './grep-args.ts'
import type { GrepToolResult } from './grep-result.ts'
import type { GrepTask } from './grep-task.ts'
import { toPageFacts } from './page-facts.ts'
import { createRecordReader } from './printed-record.ts'
import { createPageTaker } from './take-page.ts'

/** Paths of the files with a match, newest first. */
export async function searchFiles(task: GrepTask): Promise<GrepToolResult> {
  const { search, page } = task
  const sorter = createFileSorter(search)
  const onLine = createRecordReader(({ path }) => {
    const file = search.toAbsolute(path)
    if (search.accepts(file)) sorter.add(file)
    return true
  })
  // The same as --files-with-matches, but each record ends with a line feed.
  const { note } = await search.run(toGrepArgs(task, ['--count', '--max-count=1']), onLine)
  const sorted = await sorter.sort()
  const taker = createPageTaker(page)
  sorted.slice(page.offset).every((file) => taker.offer(search.toShown(file).toWellFormed()))
  return {
    mode: 'files_with_matches',
    numFiles: taker.shown.length,
    filenames: taker.shown,
    totalFiles: sorted.length,
    ...toPageFacts(page, { unit: 'files', shown: taker.shown.length, total: sorted.length, note }),
  }
}
