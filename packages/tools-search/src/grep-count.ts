import { toGrepArgs } from './grep-args.ts'
import type { GrepToolResult } from './grep-result.ts'
import type { GrepTask } from './grep-task.ts'
import { toPageFacts } from './page-facts.ts'
import { createRecordReader } from './printed-record.ts'
import { createPageTaker } from './take-page.ts'

/** Matching lines of each file, by path, and the total of all. */
export async function countMatches(task: GrepTask): Promise<GrepToolResult> {
  const { search, page } = task
  const counts: { readonly path: string; readonly count: number }[] = []
  const onLine = createRecordReader(({ path, rest }) => {
    const file = search.toAbsolute(path)
    if (search.accepts(file)) counts.push({ path: search.toShown(file).toWellFormed(), count: Number(rest) })
    return true
  })
  const { note } = await search.run(toGrepArgs(task, ['--count']), onLine)
  counts.sort((one, other) => (one.path < other.path ? -1 : 1))
  const taker = createPageTaker(page)
  counts.slice(page.offset).every(({ path, count }) => taker.offer(`${path}:${count}`))
  const shown = taker.shown.length
  return {
    mode: 'count',
    numFiles: shown,
    filenames: counts.slice(page.offset, page.offset + shown).map(({ path }) => path),
    content: taker.shown.join('\n'),
    numMatches: counts.reduce((sum, { count }) => sum + count, 0),
    totalFiles: counts.length,
    ...toPageFacts(page, { unit: 'files', shown, total: counts.length, note }),
  }
}
