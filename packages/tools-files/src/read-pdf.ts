import type { Buffer } from 'node:buffer'
import { countPdfPages } from './count-pdf-pages.ts'
import { MAX_PAGES, type PageRange } from './page-range.ts'
import type { ReadToolResult } from './read-result.ts'
import { toBase64 } from './to-base64.ts'

/** Makes a PDF of some pages of another. `last` may be past its end. */
export type ExtractPdfPages = (pdf: Uint8Array, pages: PageRange) => Promise<Uint8Array>

/** What to read of a PDF, and with what. */
export interface PdfRequest {
  readonly filePath: string
  readonly pages: PageRange | undefined
  readonly extract: ExtractPdfPages | undefined
}

/** Most pages that are read without naming them. */
const MAX_WHOLE_PAGES = 10

/** Largest document that the service takes, in bytes of base64. */
const MAX_BASE64_BYTES = 32 * 1024 * 1024

const OTHER_WAY = 'Use Bash with pdftotext -f FIRST -l LAST FILE - to get their text.'

/** The whole of a short PDF, or the pages asked for. */
export async function readPdf(bytes: Buffer, request: PdfRequest): Promise<ReadToolResult> {
  const count = countPdfPages(bytes)
  const document = isWhole(request.pages, count)
    ? wholePdf(bytes, count, request)
    : await somePages(bytes, count, request)
  const base64 = toBase64(document)
  if (base64.length > MAX_BASE64_BYTES) {
    throw new Error(
      `The PDF has ${base64.length} bytes in base64, more than the ${MAX_BASE64_BYTES} that can be sent. ${OTHER_WAY}`,
    )
  }
  return { type: 'pdf', file: { filePath: request.filePath, base64, originalSize: bytes.length } }
}

function isWhole(pages: PageRange | undefined, count: number | undefined): boolean {
  return pages === undefined || (count !== undefined && pages.first === 1 && pages.last >= count)
}

function wholePdf(bytes: Buffer, count: number | undefined, { pages, extract }: PdfRequest): Uint8Array {
  const limit = pages === undefined ? MAX_WHOLE_PAGES : MAX_PAGES
  if (count !== undefined && count <= limit) return bytes
  const size =
    count === undefined ? 'The number of pages of this PDF cannot be told' : `The PDF has ${count} pages`
  const other = extract === undefined ? ` But single pages cannot be read here. ${OTHER_WAY}` : ''
  throw new Error(
    `${size}; at most ${MAX_WHOLE_PAGES} are read whole. Name at most ${MAX_PAGES} of them with pages, such as "1-5".${other}`,
  )
}

async function somePages(
  bytes: Buffer,
  count: number | undefined,
  { pages, extract }: PdfRequest,
): Promise<Uint8Array> {
  if (pages === undefined) return bytes
  if (count !== undefined && pages.first > count) {
    throw new Error(`The PDF has ${count} pages; pages begins at ${pages.first}.`)
  }
  if (extract === undefined) {
    throw new Error(
      `Single pages of a PDF cannot be read here: nothing to take them out is set up. ${OTHER_WAY}`,
    )
  }
  return await extract(bytes, pages)
}
