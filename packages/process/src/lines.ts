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
  let rest = ''
  let open = true

  const deliver = (line: string): boolean => {
    open = onLine(line.length > maxLineLength ? cut(line, maxLineLength) : line) !== false
    return open
  }

  return {
    push(bytes) {
      const text = rest + decoder.write(bytes)
      let start = 0
      for (let end = text.indexOf('\n', rest.length); end !== -1; end = text.indexOf('\n', start)) {
        if (!open || !deliver(text.slice(start, end))) return false
        start = end + 1
      }
      // One unit over the limit is enough to know later that the line is too long.
      rest = text.slice(start, start + maxLineLength + 1)
      return open
    },
    end() {
      const line = rest + decoder.end()
      rest = ''
      if (open && line !== '') deliver(line)
    },
  }
}

function cut(line: string, length: number): string {
  const last = line.charCodeAt(length - 1)
  const splitsPair = last >= 0xd800 && last < 0xdc00
  return line.slice(0, splitsPair ? length - 1 : length)
}
