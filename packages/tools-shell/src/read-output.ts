import { cleanText, createTextCleaner } from './clean-text.ts'
import type { BashOperations } from './operations.ts'

/** An output file, and how much of it is wanted. */
export interface OutputRequest {
  /** The file. */
  readonly path: string
  /** The outside. */
  readonly operations: BashOperations
  /** Most characters that are wanted. */
  readonly maxChars: number
}

/** The beginning of an output, cleaned. */
export interface OutputHead {
  /** At most `maxChars` characters. */
  readonly text: string
  /** Whether that is all of it. */
  readonly isWhole: boolean
  /** Size of the file in bytes. */
  readonly totalBytes: number
}

/** Read first: most outputs are smaller. */
const FIRST_BYTES = 65_536

/** Read at once after that. */
const NEXT_BYTES = 1_048_576

/** Something redrawn for so long that so many bytes come to less than a page is not worth reading on. */
const MAX_SCANNED_BYTES = 16 * NEXT_BYTES

/** Bytes from the end in which the wanted last characters are looked for. */
const TAIL_BYTES = 65_536

/** Reads the cleaned beginning of an output file of any size, and no further than it must to fill `maxChars`. */
export async function readHead({ path, operations, maxChars }: OutputRequest): Promise<OutputHead> {
  const totalBytes = (await operations.look(path))?.sizeBytes ?? 0
  const cleaner = createTextCleaner()
  let text = ''
  let position = 0
  while (position < totalBytes && text.length <= maxChars && position < MAX_SCANNED_BYTES) {
    const wanted = position === 0 ? Math.min(FIRST_BYTES, totalBytes) : NEXT_BYTES
    const bytes = await operations.readRange(path, position, wanted)
    if (bytes.length === 0) break
    position += bytes.length
    text += cleaner.write(bytes)
  }
  text += cleaner.end()
  const isWhole = position >= totalBytes && text.length <= maxChars
  return { text: isWhole ? text : cutBack(text, maxChars), isWhole, totalBytes }
}

/** Reads the cleaned last characters of an output file, from the start of a line where one is near. */
export async function readTail({ path, operations, maxChars }: OutputRequest): Promise<string> {
  const totalBytes = (await operations.look(path))?.sizeBytes ?? 0
  const position = Math.max(0, totalBytes - Math.max(TAIL_BYTES, maxChars * 4))
  const bytes = await operations.readRange(path, position, totalBytes - position)
  const text = cleanText(position === 0 ? bytes : bytes.subarray(wholeCharacter(bytes)))
  if (text.length <= maxChars) return text
  const cut = text.slice(-maxChars)
  const lineEnd = cut.indexOf('\n')
  const isNear = lineEnd >= 0 && lineEnd < maxChars / 2 && lineEnd + 1 < cut.length
  return isNear ? cut.slice(lineEnd + 1) : dropHalfCharacter(cut)
}

/** The first `maxChars` characters, back to the end of a line where one is near. */
export function cutBack(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const cut = text.slice(0, maxChars)
  const lineEnd = cut.lastIndexOf('\n')
  if (lineEnd > maxChars / 2) return cut.slice(0, lineEnd + 1)
  return isHighSurrogate(cut.charCodeAt(cut.length - 1)) ? cut.slice(0, -1) : cut
}

/** UTF-8 continues a character with 10xxxxxx, three times at most. */
function wholeCharacter(bytes: Uint8Array): number {
  let skipped = 0
  while (skipped < 3 && ((bytes[skipped] ?? 0) & 0xc0) === 0x80) skipped += 1
  return skipped
}

function dropHalfCharacter(text: string): string {
  const code = text.charCodeAt(0)
  return code >= 0xdc00 && code <= 0xdfff ? text.slice(1) : text
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
