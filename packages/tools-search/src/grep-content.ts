import { type ContentEntry, createEntryReader } from './content-entry.ts'
import { toContentArgs, toGrepArgs } from './grep-args.ts'
import type { GrepToolResult } from './grep-result.ts'
import type { GrepTask } from './grep-task.ts'
import { type ShownPart, toPageFacts } from './page-facts.ts'
import { createPageTaker, type PageTaker } from './take-page.ts'

/** So much is kept to bring it into order and to count it. Beyond that the search begins again, in order and only to the limit. */
const MAX_KEPT_ENTRIES = 10_000
const MAX_KEPT_CHARS = 4_000_000

/**
 * Lines that match, in the order of their paths, so that each page goes on where the one before ended.
 *
 * ripgrep searches in order with one thread only. That is slow where matches are few and no matter where they are many.
 */
export async function searchContent(task: GrepTask): Promise<GrepToolResult> {
  const { search, input } = task
  const args = toGrepArgs(task, toContentArgs(input))
  const kept = createEntryStore()
  const { isStopped, note } = await search.run(args, createEntryReader(search, input, kept.add))
  const view = createView(task)
  if (!isStopped) {
    kept.inOrder().every(view.offer)
    return { ...view.toResult({ total: kept.count, note }), totalFiles: kept.countFiles() }
  }
  const end = await search.run(['--sort=path', ...args], createEntryReader(search, input, view.offer))
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
      chars += entry.text.length
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

function createView({ search, page }: GrepTask): ContentView {
  const taker: PageTaker = createPageTaker(page)
  const files = new Set<string>()
  let taken = 0
  return {
    get taken() {
      return taken
    },
    offer({ path, text, hasGap }) {
      const before = taker.shown.length
      const shownPath = search.toShown(path).toWellFormed()
      const isTaken = taker.offer(`${hasGap && before > 0 ? '--\n' : ''}${shownPath}${text}`)
      if (isTaken) taken += 1
      if (taker.shown.length > before) files.add(shownPath)
      return isTaken
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
