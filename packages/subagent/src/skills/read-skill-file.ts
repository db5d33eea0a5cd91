import { readFile, stat } from 'node:fs/promises'

/** What came of reading a file. */
export type SkillFile =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'missing' }
  | { readonly type: 'unreadable'; readonly why: string }

/** Reads one file. Rejects with `signal.reason` after an abort, and never else. */
export type ReadSkillFile = (path: string, signal?: AbortSignal) => Promise<SkillFile>

/** A larger file is no skill: it would fill the conversation. In bytes. */
const maxBytes = 100_000

/** Reads a file of at most 100,000 bytes of UTF-8. Links are followed. */
export async function readSkillFile(path: string, signal?: AbortSignal): Promise<SkillFile> {
  try {
    const facts = await stat(path)
    // Whatever is no file may never end.
    if (!facts.isFile()) return { type: 'unreadable', why: 'it is no file' }
    if (facts.size > maxBytes) return { type: 'unreadable', why: `it is larger than ${maxBytes} bytes` }
    const bytes = await readFile(path, signal === undefined ? {} : { signal })
    return { type: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    signal?.throwIfAborted()
    return isMissing(error) ? { type: 'missing' } : { type: 'unreadable', why: whyOf(error) }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

function whyOf(error: unknown): string {
  if (error instanceof TypeError) return 'it is no UTF-8 text'
  return error instanceof Error ? error.message : String(error)
}
