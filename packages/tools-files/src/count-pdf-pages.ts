import type { Buffer } from 'node:buffer'
import { inflateSync } from 'node:zlib'

/** Most bytes that one compressed part of a PDF may grow to; a page tree is far smaller. */
const MAX_INFLATED_BYTES = 16 * 1024 * 1024

/**
 * Counts the pages of a PDF by its page tree, also where that is in compressed object streams. `undefined` where it cannot be
 * found, as in an encrypted file.
 */
export function countPdfPages(bytes: Buffer): number | undefined {
  let pages = countInTree(bytes.toString('latin1'))
  for (const part of objectStreams(bytes)) pages = Math.max(pages, countInTree(part))
  return pages > 0 ? pages : undefined
}

/** The root of the tree has the highest count. */
function countInTree(text: string): number {
  let pages = 0
  for (const { index } of text.matchAll(/\/Type\s*\/Pages\b/g)) {
    const before = text.lastIndexOf('<<', index)
    const after = text.indexOf('endobj', index)
    const end = Math.min(after === -1 ? text.length : after, index + 1_000_000)
    const [, count] = /\/Count\s+(\d+)/.exec(text.slice(Math.max(before, 0), end)) ?? []
    pages = Math.max(pages, Number(count ?? 0))
  }
  return pages
}

function* objectStreams(bytes: Buffer): Generator<string, void> {
  let at = bytes.indexOf('/ObjStm')
  for (; at !== -1; at = bytes.indexOf('/ObjStm', at + 1)) {
    const start = bytes.indexOf('stream', at)
    const end = bytes.indexOf('endstream', start)
    if (start === -1 || end === -1) return
    const lineFeed = bytes.indexOf(0x0a, start)
    yield inflate(bytes.subarray(lineFeed + 1, end))
  }
}

function inflate(part: Buffer): string {
  try {
    return inflateSync(part, { maxOutputLength: MAX_INFLATED_BYTES }).toString('latin1')
  } catch {
    return ''
  }
}
