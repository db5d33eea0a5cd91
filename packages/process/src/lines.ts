import { createOutputDecoder } from './decode.ts'

/** Cuts a byte stream into lines. */
export interface LineSplitter {
  /** Takes the next piece. Returns false once the receiver wants no more. */
  push(bytes: Uint8Array): boolean
  /** Hands over a last line that has no line feed. */
  end(): void
}

/** Creates a splitter that hands each line to `onLine` until that returns false. Longer lines than the limit are cut. */
export function createLineSplitter(
  onLine: (line: string) => boolean | void,
  maxLineLength: number,
): LineSplitter {
  const decoder = createOutputDecoder()
  // In pieces: joining them at each push would copy a long line again and again.
  let pieces: string[] = []
  let length = 0
  let open = true

  /** Keeps of an unfinished line one unit over the limit: enough to know later that it is too long. */
  const keep = (piece: string): void => {
    if (piece === '' || length > maxLineLength) return
    const kept = piece.slice(0, maxLineLength + 1 - length)
    pieces.push(kept)
    length += kept.length
  }
  const deliver = (): boolean => {
    const line = pieces.join('')
    pieces = []
    length = 0
    open = onLine(line.length > maxLineLength ? cut(line, maxLineLength) : line) !== false
    return open
  }

  return {
    push(bytes) {
      const text = decoder.write(bytes)
      let start = 0
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
        if (!open) return false
        keep(text.slice(start, end))
        if (!deliver()) return false
        start = end + 1
      }
      keep(text.slice(start))
      return open
    },
    end() {
      keep(decoder.end())
      if (open && length > 0) deliver()
    },
  }
}

function cut(line: string, length: number): string {
  const last = line.charCodeAt(length - 1)
  const splitsPair = last >= 0xd800 && last < 0xdc00
  return line.slice(0, splitsPair ? length - 1 : length)
}
