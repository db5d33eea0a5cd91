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
  if (!isRecord(value) || typeof value['id'] !== 'string') return false
  const { kind, message } = value
  return kind === 'shown' || ((kind === 'expected' || kind === 'pending') && isRecord(message))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
