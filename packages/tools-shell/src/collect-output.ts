import type { BashKit } from './bash-kit.ts'
import type { BashResult } from './bash-result.ts'
import { INLINE_CHARS } from './options.ts'
import { parseImage } from './parse-image.ts'
import { readHead, readTail } from './read-output.ts'

/** The part of a result that comes from the output file. */
export type CollectedOutput = Pick<
  BashResult,
  'stdout' | 'isImage' | 'persistedOutputPath' | 'persistedOutputSize' | 'rawOutputPath'
>

/** Characters kept for the tool's own notices beside the output. */
const NOTICE_CHARS = 2000

/** A failure shows that much of its beginning, and as much of its end. */
const FAILURE_HALF_CHARS = 5000

/** An image is read whole or not at all. */
const MAX_IMAGE_CHARS = 8_000_000

/** Reads what a command that succeeded has written; a longer output stays in its file. */
export async function collectOutput(kit: BashKit, path: string): Promise<CollectedOutput> {
  const { operations, maxOutputLength } = kit.settings
  const maxInline = Math.min(INLINE_CHARS - NOTICE_CHARS, maxOutputLength)
  const head = await readHead({ path, operations, maxChars: Math.max(maxInline, maxOutputLength) })
  if (head.text.startsWith('data:image/') && head.totalBytes <= MAX_IMAGE_CHARS) {
    const { text } = head.isWhole ? head : await readHead({ path, operations, maxChars: MAX_IMAGE_CHARS })
    if (parseImage(text) !== undefined) return { stdout: text, isImage: true }
  }
  if (head.isWhole && head.text.length <= maxInline) return { stdout: head.text }
  return { stdout: head.text, persistedOutputPath: path, persistedOutputSize: head.totalBytes }
}

/** Reads what a command that failed has written: of a longer output its beginning and its end. */
export async function collectFailure(kit: BashKit, path: string): Promise<CollectedOutput> {
  const { operations, maxOutputLength } = kit.settings
  const half = Math.min(FAILURE_HALF_CHARS, Math.ceil(maxOutputLength / 2))
  const whole = await readHead({ path, operations, maxChars: 2 * half })
  if (whole.isWhole) return { stdout: whole.text }
  const { text: head, totalBytes } = await readHead({ path, operations, maxChars: half })
  const tail = await readTail({ path, operations, maxChars: half })
  const omitted = totalBytes - Buffer.byteLength(head) - Buffer.byteLength(tail)
  const gap = `[... about ${omitted} of ${totalBytes} bytes left out here; all of it is in ${path} ...]`
  return { stdout: `${head.trimEnd()}\n\n${gap}\n\n${tail}`, rawOutputPath: path }
}
