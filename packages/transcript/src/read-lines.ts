import type { FileHandle } from 'node:fs/promises'
import { maxLineBytes, type RawLine } from './parse-line.ts'

const newline = 0x0a
const firstChunkBytes = 64 * 1024
const maxChunkBytes = 1024 * 1024

/** What reading needs to know. */
export interface ReadLinesOptions {
  /** How much of the file counts, in bytes. */
  readonly size: number
  /** Stops the reading; the generator then throws its reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Gives the lines of a file from its end to its start, in batches that begin small: whoever needs the end alone reads no more.
 * An empty piece behind the last newline is no line. The bytes of a line are good until the next batch is asked for.
 */
export async function* readLinesBackward(
  file: FileHandle,
  { size, signal }: ReadLinesOptions,
): AsyncGenerator<readonly RawLine[]> {
  const behind = new Pieces('backward')
  const chunks = new Chunk(file)
  let isEnded = false
  let length = firstChunkBytes
  for (let end = size; end > 0; length = Math.min(length * 2, maxChunkBytes)) {
    signal?.throwIfAborted()
    const start = Math.max(0, end - length)
    const chunk = await chunks.read(start, end - start)
    const lines: RawLine[] = []
    let to = chunk.length
    for (
      let at = chunk.lastIndexOf(newline);
      at !== -1;
      at = at === 0 ? -1 : chunk.lastIndexOf(newline, at - 1)
    ) {
      behind.add(chunk.subarray(at + 1, to))
      if (isEnded || behind.length > 0) lines.push(behind.takeLine(start + at + 1, isEnded))
      isEnded = true
      to = at
    }
    behind.add(Buffer.from(chunk.subarray(0, to)))
    if (start === 0) lines.push(behind.takeLine(0, isEnded))
    end = start
    yield lines
  }
}

/** Gives the lines of a file from its start to its end, in batches that begin small. Their bytes are good until the next batch. */
export async function* readLinesForward(
  file: FileHandle,
  { size, signal }: ReadLinesOptions,
): AsyncGenerator<readonly RawLine[]> {
  const before = new Pieces('forward')
  const chunks = new Chunk(file)
  let offset = 0
  let length = firstChunkBytes
  for (let start = 0; start < size; length = Math.min(length * 2, maxChunkBytes)) {
    signal?.throwIfAborted()
    const chunk = await chunks.read(start, Math.min(length, size - start))
    if (chunk.length === 0) break
    const lines: RawLine[] = []
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      before.add(chunk.subarray(from, at))
      lines.push(before.takeLine(offset, true))
      from = at + 1
      offset = start + from
    }
    before.add(Buffer.from(chunk.subarray(from)))
    start += chunk.length
    yield lines
  }
  if (before.length > 0) yield [before.takeLine(offset, false)]
}

/** The pieces of a line that spans chunks, in the order in which they are met. Those of a line that is too long are let go. */
class Pieces {
  readonly #isBackward: boolean
  #pieces: Buffer[] = []
  length = 0

  constructor(direction: 'forward' | 'backward') {
    this.#isBackward = direction === 'backward'
  }

  add(piece: Buffer): void {
    this.length += piece.length
    if (this.length > maxLineBytes) this.#pieces = []
    else if (piece.length > 0) this.#pieces.push(piece)
  }

  takeLine(offset: number, isEnded: boolean): RawLine {
    const isTooLong = this.length > maxLineBytes
    const pieces = this.#isBackward ? this.#pieces.toReversed() : this.#pieces
    this.#pieces = []
    this.length = 0
    if (isTooLong) return { offset, isEnded }
    const [first] = pieces
    return {
      bytes: pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces),
      offset,
      isEnded,
    }
  }
}

/** One buffer for all chunks, that grows with them: a new one each time would keep the garbage collector busy. */
class Chunk {
  readonly #file: FileHandle
  #bytes = Buffer.alloc(0)

  constructor(file: FileHandle) {
    this.#file = file
  }

  async read(position: number, length: number): Promise<Buffer> {
    if (this.#bytes.length < length) this.#bytes = Buffer.allocUnsafeSlow(length)
    return readFully(this.#file, this.#bytes.subarray(0, length), position)
  }
}

async function readFully(file: FileHandle, chunk: Buffer, position: number): Promise<Buffer> {
  const { length } = chunk
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(chunk, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return chunk.subarray(0, filled)
}
