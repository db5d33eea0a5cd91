import { StringDecoder } from 'node:string_decoder'

/** Turns bytes that arrive in pieces into text. */
export interface OutputDecoder {
  /** Returns the characters that are complete now; bytes of an unfinished one wait for the next piece. */
  write(bytes: Uint8Array): string
  /** Returns what is left: a replacement character when the last one was cut, else nothing. */
  end(): string
}

/**
 * Creates a UTF-8 decoder that never splits a character, wherever the pieces were cut.
 *
 * Bytes that are not UTF-8 become U+FFFD. The result is always well-formed.
 *
 * @example
 * const decoder = createOutputDecoder()
 * decoder.write(Uint8Array.of(0xe4, 0xbd)) + decoder.write(Uint8Array.of(0xa0)) // '你'
 */
export function createOutputDecoder(): OutputDecoder {
  const decoder = new StringDecoder('utf8')
  return {
    write: (bytes) => decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    end: () => decoder.end(),
  }
}

/** The largest index up to `end` that does not lie inside a UTF-8 character. */
export function characterStart(bytes: Uint8Array, end: number): number {
  for (let index = end; index >= Math.max(0, end - 3); index -= 1) {
    if (!isContinuation(bytes[index])) return index
  }
  return end
}

/** The smallest index from `start` that does not lie inside a UTF-8 character. */
export function nextCharacter(bytes: Uint8Array, start: number): number {
  for (let index = start; index < start + 4; index += 1) {
    if (!isContinuation(bytes[index])) return index
  }
  return start
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
