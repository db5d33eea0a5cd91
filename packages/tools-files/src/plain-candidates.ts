import { Buffer } from 'node:buffer'

/**
 * Yields where a text of several lines stands in a file when CRLF counts as LF, by positions in the file.
 *
 * The text must not hold a carriage return. Texts that overlap are all yielded.
 *
 * @param skip Bytes of the text before the place that is yielded.
 */
export function* plainCandidates(bytes: Buffer, text: Buffer, skip: number): Generator<number, void> {
  const plain = bytes.includes(CRLF) ? withoutReturns(bytes) : bytes
  // A CRLF of the file that has not been counted yet, and how many have been.
  let next = bytes.indexOf(CRLF)
  let removed = 0
  for (const at of placesOf(text, plain)) {
    const place = at + skip
    while (next !== -1 && next - removed < place) {
      removed += 1
      next = bytes.indexOf(CRLF, next + CRLF.length)
    }
    yield place + removed
  }
}

/** As many bytes the machine's own search may look for: short enough for it never to take long. */
const HEAD_BYTES = 64

/**
 * Takes time in proportion to both, after Knuth, Morris and Pratt: the machine's own search, as one that holds line after line against
 * the file, takes minutes where both repeat themselves. It finds where the text may begin.
 */
function* placesOf(text: Buffer, bytes: Buffer): Generator<number, void> {
  const head = text.subarray(0, HEAD_BYTES)
  const borders = bordersOf(text)
  let same = 0
  for (let at = 0; at < bytes.length; ) {
    if (same === 0) {
      const start = bytes.indexOf(head, at)
      if (start === -1) return
      same = head.length
      at = start + same
    } else if (text[same] === bytes[at]) {
      same += 1
      at += 1
    } else same = borders[same - 1] ?? 0
    if (same < text.length) continue
    yield at - same
    same = borders[same - 1] ?? 0
  }
}

/** For each beginning of the text: how much of it is its end, too. */
function bordersOf(text: Buffer): Uint32Array {
  const borders = new Uint32Array(text.length)
  let same = 0
  for (let at = 1; at < text.length; at += 1) {
    while (same > 0 && text[same] !== text[at]) same = borders[same - 1] ?? 0
    if (text[same] === text[at]) same += 1
    borders[at] = same
  }
  return borders
}

const CRLF = '\r\n'

function withoutReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(CRLF, '\n'), 'latin1')
}
