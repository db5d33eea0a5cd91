import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { NoticeEntry, NoticeJournal } from '@x/subagent'

/** Keeps notices in a file of lines, each written at once: a crash tears at most the last one. */
export function createNoticeJournal(path: string): NoticeJournal {
  let isReady: Promise<unknown> | undefined
  let last: Promise<void> = Promise.resolve()
  return {
    append(entry) {
      isReady ??= mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // In front, too: the line before may have been torn.
      last = Promise.all([isReady, last]).then(() =>
        appendFile(path, `\n${JSON.stringify(entry)}\n`, { mode: 0o600 }),
      )
      return last
    },
    async read() {
      const text = await readFile(path, 'utf8').catch(() => '')
      return text.split('\n').flatMap(readEntry)
    },
  }
}

function readEntry(line: string): readonly NoticeEntry[] {
  if (line === '') return []
  try {
    const value: unknown = JSON.parse(line)
    return isEntry(value) ? [value] : []
  } catch {
    return []
  }
}

function isEntry(value: unknown): value is NoticeEntry {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('id' in value)) return false
  if (typeof value.id !== 'string') return false
  if (value.kind === 'shown') return true
  const isWaiting = value.kind === 'expected' || value.kind === 'pending'
  return isWaiting && 'message' in value && typeof value.message === 'object' && value.message !== null
}
