import { randomUUID } from 'node:crypto'
import type { Message, UserMessage } from '@x/contract'
import type { NoticeEntry, NoticeJournal } from './notice-journal.ts'

/** Messages that the main conversation has to see, each exactly once, whatever happens in between. */
export interface NoticeBox {
  /** Takes a message in; resolves when it is safe. It is shown although nobody waits for that. */
  add(message: UserMessage): Promise<void>
  /**
   * Something has begun whose end will be told: returns the function to tell it by, once. If the program ends before, `lost` is told by
   * the next one in its place.
   */
  expect(lost: UserMessage): (end: UserMessage) => Promise<void>
  /** Hands out what waits. It counts as seen only when `confirm` is told of it. */
  take(): readonly UserMessage[]
  /** Tells that these messages are in the transcript; those that are no notices do not matter. */
  confirm(messages: readonly Message[]): Promise<void>
  /** Resolves when what was told to it so far is in the journal, or could not be written there. */
  flush(): Promise<void>
  /** What was handed out and never confirmed waits again: the query ended before it logged it. */
  release(): void
  /** Hears that something waits; returns the undo. A listener that throws is ignored. */
  subscribe(listener: () => void): () => void
  /** How many wait or are handed out. */
  readonly size: number
  /** How many were never handed out. */
  readonly fresh: number
}

/** How a box begins. */
export interface NoticeBoxOptions {
  /** @default nothing survives */
  readonly journal?: NoticeJournal
  /** The transcript as it was loaded, whole and not only what follows a compaction: what stands there was seen. @default [] */
  readonly transcript?: readonly Message[]
}

interface Waiting {
  readonly message: UserMessage
  isOut: boolean
  isFresh: boolean
}

/**
 * Opens the box. A notice that the journal calls pending waits again, unless it is in the transcript: the program may have
 * died between writing there and saying so in the journal.
 */
export async function openNoticeBox(options: NoticeBoxOptions = {}): Promise<NoticeBox> {
  const { journal, transcript = [] } = options
  const box = createNoticeBox(journal)
  for (const entry of (await journal?.read()) ?? []) box.restore(entry)
  await box.confirm(transcript)
  return box
}

/** A box that can be filled from a journal without writing there. */
interface RestorableBox extends NoticeBox {
  restore(entry: NoticeEntry): void
}

/** Makes an empty box. */
export function createNoticeBox(journal?: NoticeJournal): RestorableBox {
  const waiting = new Map<string, Waiting>()
  const listeners = new Set<() => void>()
  const { write, flush } = createJournalWriter(journal)

  async function put(id: string, message: UserMessage): Promise<void> {
    const marked = markMessage(message, id)
    waiting.set(id, { message: marked, isOut: false, isFresh: true })
    tell(listeners)
    await write({ kind: 'pending', id, message: marked })
  }

  return {
    get size() {
      return waiting.size
    },
    get fresh() {
      return [...waiting.values()].filter(({ isFresh }) => isFresh).length
    },
    restore(entry) {
      if (entry.kind === 'shown') waiting.delete(entry.id)
      else waiting.set(entry.id, { message: entry.message, isOut: false, isFresh: true })
    },
    add: (message) => put(randomUUID(), message),
    expect(lost) {
      const id = randomUUID()
      // A journal that fails has told its owner; the end is told all the same.
      write({ kind: 'expected', id, message: markMessage(lost, id) }).catch(() => {})
      return (end) => put(id, end)
    },
    take() {
      const ready = [...waiting.values()].filter(({ isOut }) => !isOut)
      for (const entry of ready) Object.assign(entry, { isOut: true, isFresh: false })
      return ready.map(({ message }) => message)
    },
    async confirm(messages) {
      const seen = noticeIds(messages).filter((id) => waiting.delete(id))
      await Promise.all(seen.map((id) => write({ kind: 'shown', id })))
    },
    flush,
    release() {
      for (const entry of waiting.values()) entry.isOut = false
    },
    subscribe(listener) {
      const own = (): void => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}

/** What could not be written is tried again when somebody wants to be sure: a disk may be full for a moment. */
function createJournalWriter(journal: NoticeJournal | undefined) {
  let last: Promise<unknown> = Promise.resolve()
  const owed = new Map<string, NoticeEntry>()

  async function append(entry: NoticeEntry): Promise<void> {
    try {
      await journal?.append(entry)
      owed.delete(entry.id)
    } catch (error) {
      owed.set(entry.id, entry)
      throw error
    }
  }

  function write(entry: NoticeEntry): Promise<void> {
    const own = append(entry)
    last = Promise.allSettled([last, own])
    return own
  }

  return {
    write,
    flush: async (): Promise<void> => {
      await last
      for (const entry of owed.values()) await write(entry).catch(() => {})
    },
  }
}

function tell(listeners: ReadonlySet<() => void>): void {
  for (const listener of listeners) {
    try {
      listener()
    } catch {
      // A listener's fault is its own.
    }
  }
}

function markMessage({ content }: UserMessage, id: string): UserMessage {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return { role: 'user', content: [...blocks, { type: 'text', text: `<notice-id>${id}</notice-id>` }] }
}

/** Ids are random, so no text of a model or a tool can name one that it has not seen. */
function noticeIds(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ role, content }) => {
    if (role !== 'user') return []
    const texts =
      typeof content === 'string'
        ? [content]
        : content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
    return texts.flatMap((text) =>
      [...text.matchAll(/<notice-id>([\w-]+)<\/notice-id>/g)].map(([, id]) => id ?? ''),
    )
  })
}
