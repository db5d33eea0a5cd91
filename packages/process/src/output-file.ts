import { type FileHandle, open } from 'node:fs/promises'
import { type CapturedText, joinEnds } from './capture.ts'
import { createOutputDecoder } from './decode.ts'

/** Reads a file that grows. `await using` closes it. */
export interface OutputReader extends AsyncDisposable {
  /**
   * Returns the text that was added since the last read, at most about `maxBytes` of it (default 65,536); '' when there
   * is none. A character whose end is not written yet comes with a later read. A file cut to nothing is read from its
   * start again.
   */
  read(maxBytes?: number): Promise<string>
  /** Skips what is there now, and returns how many bytes that were. */
  skip(): Promise<number>
}

/** Opens the output file of a process to read it as it grows. Rejects when the file cannot be opened. */
export async function openOutputReader(path: string): Promise<OutputReader> {
  const file = await open(path, 'r')
  let decoder = createOutputDecoder()
  let position = 0
  const restartIfCut = async (): Promise<number> => {
    const { size } = await file.stat()
    if (size < position) {
      position = 0
      decoder = createOutputDecoder()
    }
    return size
  }
  return {
    async read(maxBytes = 65_536) {
      await restartIfCut()
      const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, position)
      position += bytesRead
      return decoder.write(buffer.subarray(0, bytesRead))
    },
    async skip() {
      const skipped = (await restartIfCut()) - position
      position += skipped
      decoder = createOutputDecoder()
      return skipped
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

/**
 * Reads a file of any size with bounded memory: the whole of it, or of a larger one the first and last half of `maxBytes`.
 *
 * Rejects when the file cannot be read.
 */
export async function readOutputFile(path: string, maxBytes: number): Promise<CapturedText> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  if (size <= maxBytes) {
    const whole = await readAt(file, 0, size)
    return joinEnds({ head: whole, tail: Buffer.alloc(0), totalBytes: whole.length })
  }
  const headBytes = Math.ceil(maxBytes / 2)
  const tailBytes = maxBytes - headBytes
  const head = await readAt(file, 0, headBytes)
  const tail = await readAt(file, size - tailBytes, tailBytes)
  return joinEnds({ head, tail, totalBytes: size })
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
