import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { NoticeEntry, NoticeJournal } from '@x/subagent'
import { isRecord } from '../is-record.ts'

/** Keeps notices in a file of lines, each written at once: a crash tears at most the last one. */
export function createNoticeJournal(path: string): NoticeJournal {
  let isReady = false
  let last: Promise<unknown> = Promise.resolve()
  async function write(entry: NoticeEntry): Promise<void> {
    if (!isReady) await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    isReady = true
    // In front, too: the line before may have been torn.
    await appendFile(path, `\n${JSON.stringify(entry)}\n`, { mode: 0o600 })
  }
  return {
    append(entry) {
      const written = last.then(() => write(entry))
      // A disk that was full for a moment must not keep anything that comes later from being written.
      last = written.catch(() => {})
      return written
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
