import { type ContentEntry, type EntryStyle, toEntryText } from './content-entry.ts'
import { toContentArgs, toGrepArgs } from './grep-args.ts'
import type { GrepInput, PageRequest } from './grep-input.ts'
import type { GrepToolResult } from './grep-result.ts'
import { createRecordReader } from './printed-record.ts'
import type { Search } from './run-search.ts'
import { describePage, describeWarning, joinText } from './search-note.ts'
import { createPageTaker } from './take-page.ts'

/** So many entries are kept to bring them into order and to count them; beyond that the search begins again, slower but in order. */
const MAX_KEPT_ENTRIES = 10_000
const MAX_KEPT_CHARS = 4_000_000

/** Lines that match. */
export async function searchContent(
  search: Search,
  input: GrepInput,
  page: PageRequest,
): Promise<GrepToolResult> {
  const args = toGrepArgs(input, search.place, toContentArgs(input))
  const kept = await keepEntries(search, input, args)
  if (kept.isComplete) return toResult(search, page, kept)
  return await searchInOrder(search, input, { args, page })
}

interface KeptEntries {
  readonly entries: readonly ContentEntry[]
  readonly isComplete: boolean
  readonly warning: string | undefined
}

async function keepEntries(search: Search, input: GrepInput, args: readonly string[]): Promise<KeptEntries> {
  const byPath = new Map<string, ContentEntry[]>()
  let count = 0
  let chars = 0
  const onLine = createEntryReader(search, input, (entry) => {
    count += 1
    chars += entry.text.length
    const entries = byPath.get(entry.path)
    if (entries === undefined) byPath.set(entry.path, [entry])
    else entries.push(entry)
    return count < MAX_KEPT_ENTRIES && chars < MAX_KEPT_CHARS
  })
  const { isStopped, warning } = await search.run(args, onLine)
  const paths = [...byPath.keys()].toSorted(comparePaths)
  return { entries: paths.flatMap((path) => byPath.get(path) ?? []), isComplete: !isStopped, warning }
}

/** In the order in which ripgrep sorts: folder by folder. */
function comparePaths(one: string, other: string): number {
  const [first, second] = [one.replaceAll('/', '\0'), other.replaceAll('/', '\0')]
  if (first === second) return 0
  return first < second ? -1 : 1
}

function createEntryReader(
  search: Search,
  input: GrepInput,
  onEntry: (entry: ContentEntry) => boolean,
): (line: string) => boolean {
  const style: EntryStyle = { hasNumbers: input['-n'] ?? true, maxLineChars: 500 }
  let hasGap = false
  return createRecordReader((record) => {
    if (record.path === '') {
      hasGap = true
      return true
    }
    const path = search.toAbsolute(record.path)
    if (search.isHidden(path)) return true
    const entry = { path, text: toEntryText(record, style), hasGap }
    hasGap = false
    return onEntry(entry)
  })
}

interface OrderedSearch {
  readonly args: readonly string[]
  readonly page: PageRequest
}

/** Stops at the first entry that is not shown. */
async function searchInOrder(
  search: Search,
  input: GrepInput,
  { args, page }: OrderedSearch,
): Promise<GrepToolResult> {
  const taker = createPageTaker(page)
  const files = new Set<string>()
  const onLine = createEntryReader(search, input, (entry) => offerEntry(search, { taker, files }, entry))
  const { isStopped, warning } = await search.run(['--sort=path', ...args], onLine)
  return finish(page, { taker, files, warning, ...(isStopped ? {} : { total: taker.seen }) })
}

interface Taken {
  readonly taker: ReturnType<typeof createPageTaker>
  readonly files: Set<string>
}

function offerEntry(search: Search, { taker, files }: Taken, { path, text, hasGap }: ContentEntry): boolean {
  const shown = search.toShown(path).toWellFormed()
  const before = taker.shown.length
  const isTaken = taker.offer(`${hasGap && before > 0 ? '--\n' : ''}${shown}${text}`)
  if (taker.shown.length > before) files.add(shown)
  return isTaken
}

function toResult(search: Search, page: PageRequest, { entries, warning }: KeptEntries): GrepToolResult {
  const taken = { taker: createPageTaker(page), files: new Set<string>() }
  entries.every((entry) => offerEntry(search, taken, entry))
  return {
    ...finish(page, { ...taken, warning, total: entries.length }),
    totalFiles: new Set(entries.map(({ path }) => path)).size,
  }
}

function finish(
  page: PageRequest,
  { taker, files, warning, total }: Taken & { readonly warning: string | undefined; readonly total?: number },
): GrepToolResult {
  const { shown, seen } = taker
  const note = joinText(
    shown.length === 0
      ? undefined
      : describePage('lines', {
          offset: page.offset,
          shown: shown.length,
          total: total ?? seen,
          hasMore: total === undefined,
        }),
    warning === undefined ? undefined : describeWarning(warning),
  )
  return {
    mode: 'content',
    numFiles: files.size,
    filenames: [...files],
    content: shown.join('\n'),
    numLines: shown.length,
    ...(total === undefined ? {} : { totalLines: total }),
    ...(total === undefined || page.offset + shown.length < total ? { appliedLimit: shown.length } : {}),
    ...(page.offset > 0 ? { appliedOffset: page.offset } : {}),
    ...(note === '' ? {} : { note }),
  }
}
