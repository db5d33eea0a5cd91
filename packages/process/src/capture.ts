import { characterStart, nextCharacter } from './decode.ts'

/** The text of one stream, whole or with a gap in the middle. */
export interface CapturedText {
  /** The text; when something was left out, the beginning, a line that says how much, and the end. */
  readonly text: string
  /** All bytes that came. */
  readonly totalBytes: number
  /** Bytes that `text` does not contain; 0 when it is whole. */
  readonly omittedBytes: number
}

/** Collects bytes with bounded memory. */
export interface Capture {
  /** Takes the next piece. The bytes are copied. */
  push(bytes: Uint8Array): void
  /** The text so far. May be asked for at any time, and again. */
  read(): CapturedText
}

/**
 * Creates a capture that keeps at most `maxBytes`: of a longer stream the first and the last half of that.
 *
 * Memory stays below three times `maxBytes`, however much is pushed and however small the pieces are.
 */
export function createCapture(maxBytes: number): Capture {
  const headBytes = Math.ceil(maxBytes / 2)
  const tailBytes = maxBytes - headBytes
  let head = Buffer.alloc(0)
  let headLength = 0
  let tail = Buffer.alloc(0)
  let tailLength = 0
  let totalBytes = 0

  const pushTail = (bytes: Uint8Array): void => {
    const kept = bytes.subarray(Math.max(0, bytes.length - tailBytes))
    if (tailLength + kept.length > 2 * tailBytes) {
      // Once per `tailBytes` at most, so each byte moves a constant number of times.
      tail.copyWithin(0, tailLength - tailBytes, tailLength)
      tailLength = tailBytes
    }
    tail = grow(tail, tailLength + kept.length)
    tail.set(kept, tailLength)
    tailLength += kept.length
  }

  return {
    push(bytes) {
      totalBytes += bytes.length
      const toHead = bytes.subarray(0, headBytes - headLength)
      head = grow(head, headLength + toHead.length)
      head.set(toHead, headLength)
      headLength += toHead.length
      pushTail(bytes.subarray(toHead.length))
    },
    read() {
      const end = tail.subarray(Math.max(0, tailLength - tailBytes), tailLength)
      return joinEnds({ head: head.subarray(0, headLength), tail: end, totalBytes })
    },
  }
}

/** The two ends of a longer text, as bytes. */
export interface Ends {
  /** Its first bytes. */
  readonly head: Uint8Array
  /** Its last bytes. */
  readonly tail: Uint8Array
  /** Its length. */
  readonly totalBytes: number
}

/** Makes one text of two ends; where they do not meet, cuts at characters and says what is missing. */
export function joinEnds({ head, tail, totalBytes }: Ends): CapturedText {
  if (head.length + tail.length >= totalBytes) {
    return { text: decode(Buffer.concat([head, tail])), totalBytes, omittedBytes: 0 }
  }
  const first = head.subarray(0, wholeCharacters(head))
  const last = tail.subarray(nextCharacter(tail, 0))
  const omittedBytes = totalBytes - first.length - last.length
  return {
    text: `${decode(first)}\n[... ${omittedBytes} bytes left out ...]\n${decode(last)}`,
    totalBytes,
    omittedBytes,
  }
}

function wholeCharacters(bytes: Uint8Array): number {
  const start = characterStart(bytes, bytes.length - 1)
  const lead = bytes[start] ?? 0
  const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  return start + length <= bytes.length ? bytes.length : start
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

function grow(buffer: Buffer<ArrayBuffer>, needed: number): Buffer<ArrayBuffer> {
  if (needed <= buffer.length) return buffer
  const larger = Buffer.alloc(Math.max(needed, buffer.length * 2, 256))
  larger.set(buffer)
  return larger
}
