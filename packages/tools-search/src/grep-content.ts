import { type ContentEntry, createEntryReader, toEntryText } from './content-entry.ts'
import { toContentArgs, toGrepArgs } from './grep-args.ts'
import type { GrepToolResult } from './grep-result.ts'
import type { GrepTask } from './grep-task.ts'
import { type ShownPart, toPageFacts } from './page-facts.ts'
import { createPageTaker } from './take-page.ts'

/** So much is kept to bring it into order and to count it. Beyond that the search begins again, in order and only to the limit. */
const MAX_KEPT_ENTRIES = 10_000
const MAX_KEPT_CHARS = 16_000_000

/**
 * Lines that match, in the order of their paths, so that each page goes on where the one before ended.
 *
 * ripgrep searches in order with one thread only. That is slow where matches are few and no matter where they are many.
 */
export async function searchContent(task: GrepTask): Promise<GrepToolResult> {
  const { search, input } = task
  const args = toGrepArgs(task, toContentArgs(input))
  const kept = createEntryStore()
  const { isStopped, note } = await search.run(args, createEntryReader(search, kept.add))
  const view = createView(task)
  if (!isStopped) {
    kept.inOrder().every(view.offer)
    return { ...view.toResult({ total: kept.count, note }), totalFiles: kept.countFiles() }
  }
  const end = await search.run(['--sort=path', ...args], createEntryReader(search, view.offer))
  return view.toResult({ total: end.isStopped ? undefined : view.taken, counted: kept.count, note: end.note })
}

interface EntryStore {
  readonly count: number
  /** Returns false when it is full. */
  readonly add: (entry: ContentEntry) => boolean
  inOrder(): readonly ContentEntry[]
  countFiles(): number
}

function createEntryStore(): EntryStore {
  const byPath = new Map<string, ContentEntry[]>()
  let count = 0
  let chars = 0
  return {
    get count() {
      return count
    },
    add(entry) {
      count += 1
      chars += entry.printed.length
      const entries = byPath.get(entry.path)
      if (entries === undefined) byPath.set(entry.path, [entry])
      else entries.push(entry)
      return count < MAX_KEPT_ENTRIES && chars < MAX_KEPT_CHARS
    },
    inOrder() {
      const paths = [...byPath.keys()].toSorted(comparePaths)
      return paths.flatMap((path) => byPath.get(path) ?? [])
    },
    countFiles: () => byPath.size,
  }
}

/** Folder by folder, as ripgrep does. */
function comparePaths(one: string, other: string): number {
  return one.replaceAll('/', '\0') < other.replaceAll('/', '\0') ? -1 : 1
}

interface ContentView {
  /** Entries up to the end of the page. */
  readonly taken: number
  /** Returns false when the page is full. */
  readonly offer: (entry: ContentEntry) => boolean
  toResult(whole: Omit<ShownPart, 'unit' | 'shown'>): GrepToolResult
}

function createView({ search, input, page }: GrepTask): ContentView {
  const hasNumbers = input['-n'] ?? true
  const taker = createPageTaker(page)
  const files = new Set<string>()
  let taken = 0
  return {
    get taken() {
      return taken
    },
    offer(entry) {
      if (taken < page.offset) {
        taken += 1
        return true
      }
      const shownPath = search.toShown(entry.path).toWellFormed()
      const gap = entry.hasGap && taker.shown.length > 0 ? '--\n' : ''
      if (!taker.offer(`${gap}${shownPath}${toEntryText(entry, hasNumbers)}`)) return false
      taken += 1
      files.add(shownPath)
      return true
    },
    toResult(whole) {
      const shown = taker.shown.length
      return {
        mode: 'content',
        numFiles: files.size,
        filenames: [...files],
        content: taker.shown.join('\n'),
        numLines: shown,
        ...(whole.total === undefined ? {} : { totalLines: whole.total }),
        ...toPageFacts(page, { unit: 'lines', shown, ...whole }),
      }
    },
  }
}
