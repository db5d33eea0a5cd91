import type { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { OpenFile } from './file-operations.ts'
import { type LinePage, readLines } from './read-lines.ts'
import type { TextView } from './read-result.ts'
import { MAX_DIGEST_BYTES } from './read-state.ts'
import { detectCodec, type TextCodec, withoutCutCharacter } from './text-codec.ts'

/** A token is taken for four bytes of text; the true number depends on the model and the text. */
export const BYTES_PER_TOKEN = 4

/** What to show of a text file. */
export interface TextRequest {
  readonly filePath: string
  readonly offset: number | undefined
  readonly limit: number | undefined
  readonly maxTokens: number
}

/** The lines, and what is now known of the file. */
export interface TextReading {
  readonly view: TextView
  /** Every line was shown. */
  readonly isWhole: boolean
  readonly digest?: string
}

/** Reads lines out of a file whose first chunk is known already. */
export async function readText(
  file: OpenFile,
  source: { readonly head: Buffer; readonly chunks: AsyncGenerator<Buffer, void> },
  request: TextRequest,
): Promise<TextReading> {
  const digest = file.info.sizeBytes <= MAX_DIGEST_BYTES ? createHash('sha1') : undefined
  digest?.update(source.head)
  const codec = await detectCodec(source.head, source.head.length >= file.info.sizeBytes)
  const offset = Math.max(1, request.offset ?? 1)
  const page = await readLines(
    textChunks(source, codec, (chunk) => digest?.update(chunk)),
    {
      offset,
      limit: request.limit ?? Infinity,
      maxBytes: request.maxTokens * BYTES_PER_TOKEN * codec.unitBytes,
      lineFeed: codec.lineFeed,
    },
  )
  assertFits(page, { ...request, offset: request.offset })
  const content = await decodePage(page, codec)
  assertText(content)
  const isWhole = offset === 1 && page.lines === page.totalLines && page.end !== 'clipped'
  return {
    view: toView(page, { filePath: request.filePath, content, startLine: offset, isWhole }),
    isWhole,
    ...(isWhole && digest !== undefined && { digest: digest.digest('hex') }),
  }
}

/** The bytes of the text: the mark at the beginning is none of it. */
async function* textChunks(
  { head, chunks }: { readonly head: Buffer; readonly chunks: AsyncGenerator<Buffer, void> },
  codec: TextCodec,
  see: (chunk: Buffer) => void,
): AsyncGenerator<Buffer, void> {
  if (head.length > codec.mark.length) yield head.subarray(codec.mark.length)
  for await (const chunk of chunks) {
    see(chunk)
    yield chunk
  }
}

/** The whole file may be shown by its first page; a range that was asked for is shown whole or not at all. */
function assertFits(page: LinePage, { offset, limit, maxTokens }: TextRequest): void {
  if (page.end !== 'budget' || (offset === undefined && limit === undefined)) return
  const first = Math.max(1, offset ?? 1)
  throw new Error(
    `File content (${maxTokens + 1} tokens) exceeds maximum allowed tokens (${maxTokens}). ` +
      `Reading stopped at line ${first + page.lines}: offset ${first} with limit ${page.lines} fits. ` +
      'Use offset and limit to read a part of the file, or Grep to find what you need in it.',
  )
}

/** The beginning of the file may be plain ASCII where the lines shown are not. */
async function decodePage(page: LinePage, codec: TextCodec): Promise<string> {
  const bytes =
    page.end === 'clipped' && codec.name === 'UTF-8' ? withoutCutCharacter(page.bytes) : page.bytes
  const actual = codec.name === 'UTF-8' && codec.mark.length === 0 ? await detectPage(bytes, codec) : codec
  const text = actual.decode(bytes).replaceAll('\r\n', '\n')
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

async function detectPage(bytes: Buffer, codec: TextCodec): Promise<TextCodec> {
  const found = await detectCodec(bytes, true)
  return found.unitBytes === codec.unitBytes && found.mark.length === 0 ? found : codec
}

const CONTROL = /(?!\s)\p{Cc}/gu

/** A few control characters are part of some texts; many mean that it is none. */
function assertText(content: string): void {
  const sample = content.slice(0, 8192)
  const count = sample.match(CONTROL)?.length ?? 0
  if (count <= sample.length / 10) return
  throw new Error(
    'This is a binary file, and no image, PDF or notebook. Use a program through Bash that knows its format.',
  )
}

function toView(
  page: LinePage,
  {
    filePath,
    content,
    startLine,
    isWhole,
  }: { filePath: string; content: string; startLine: number; isWhole: boolean },
): TextView {
  const isCut = !isWhole && (page.end === 'budget' || page.end === 'clipped')
  return {
    filePath,
    content,
    numLines: page.lines,
    startLine,
    ...(page.totalLines !== undefined && { totalLines: page.totalLines }),
    ...(isCut && { truncatedByTokenCap: true }),
    ...(page.end === 'clipped' && { clippedLine: true }),
  }
}
