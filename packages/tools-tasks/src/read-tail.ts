import { open } from 'node:fs/promises'

/** The end of a file, and how much stands before it. */
export interface FileTail {
  readonly text: string
  /** Bytes of the file that `text` does not show. */
  readonly skippedBytes: number
}

/** Reads the last `maxBytes` of a file in constant memory, beginning at a whole character; a missing file is empty. */
export async function readTail(path: string, maxBytes: number): Promise<FileTail> {
  const file = await open(path, 'r').catch(() => undefined)
  if (file === undefined) return { text: '', skippedBytes: 0 }
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - maxBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    const cut = start === 0 ? 0 : continuationBytes(buffer)
    return { text: buffer.toString('utf8', cut, bytesRead), skippedBytes: start + cut }
  } finally {
    await file.close()
  }
}

/** How many bytes at the start belong to a character that began before. UTF-8: 10xxxxxx, three at most. */
function continuationBytes(bytes: Buffer): number {
  let count = 0
  while (count < 3 && count < bytes.length && ((bytes[count] ?? 0) & 0xc0) === 0x80) count += 1
  return count
}
