import { Buffer } from 'node:buffer'

/**
 * Yields where a text of several lines stands in a file when CRLF counts as LF, by positions in the file.
 *
 * The search for the whole text is the machine's own: to hold line after line against the file takes minutes where both repeat
 * themselves. The text must not hold a carriage return. Texts that overlap are all yielded.
 *
 * @param skip Bytes of the text before the place that is yielded.
 */
export function* plainCandidates(bytes: Buffer, text: Buffer, skip: number): Generator<number, void> {
  const plain = bytes.includes(CRLF) ? withoutReturns(bytes) : bytes
  // A CRLF of the file that has not been counted yet, and how many have been.
  let next = bytes.indexOf(CRLF)
  let removed = 0
  for (let at = plain.indexOf(text); at !== -1; at = plain.indexOf(text, at + 1)) {
    const place = at + skip
    while (next !== -1 && next - removed < place) {
      removed += 1
      next = bytes.indexOf(CRLF, next + CRLF.length)
    }
    yield place + removed
  }
}

const CRLF = '\r\n'

function withoutReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(CRLF, '\n'), 'latin1')
}
