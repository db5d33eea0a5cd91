import { Buffer } from 'node:buffer'
import { defineTool, type Tool, type ToolUseContext } from '@x/contract'
import { z } from 'zod'
import type { FileInfo, FileOperations, OpenFile } from './file-operations.ts'
import { checkPath, toAbsolutePath, withAbsolutePath } from './file-path.ts'
import { hasCode } from './has-code.ts'
import { missingFile } from './missing-file.ts'
import { nodeFileOperations } from './node-file-operations.ts'
import { parseNotebook, textBytesOf } from './notebook.ts'
import { parsePages } from './page-range.ts'
import { assertNoEnvironment } from './process-environment.ts'
import { loadFile, readChunks } from './read-bytes.ts'
import { readImage, type ShrinkImage } from './read-image.ts'
import { type ExtractPdfPages, readPdf } from './read-pdf.ts'
import { type ReadToolResult, toReadBlock } from './read-result.ts'
import { digestOf, isNotebookPath } from './read-state.ts'
import { BYTES_PER_TOKEN, readText } from './read-text.ts'
import { sniffImage } from './sniff-image.ts'

/** Settings of {@link createReadTool}. */
export interface ReadToolOptions {
  /** The file system. @default that of this machine, through `node:fs` */
  readonly operations?: FileOperations
  /** Largest answer, in tokens of about four bytes; `limits.maxReadTokens` of the context wins. @default 25_000 */
  readonly maxTokens?: number
  /**
   * Largest image, PDF or notebook, in bytes, because these are loaded whole; `limits.maxFileBytes` of the context wins. Text has no
   * such limit. @default 104_857_600 (100 MiB)
   */
  readonly maxFileBytes?: number
  /** Makes large pictures smaller. Without it they are sent as they are, or refused beyond 5 MiB of base64 or 8,000 pixels. */
  readonly shrinkImage?: ShrinkImage
  /** Takes pages out of a PDF. Without it PDFs of more than 10 pages are refused. */
  readonly extractPdfPages?: ExtractPdfPages
}

const inputSchema = z.strictObject({
  file_path: z.string().describe('Path of the file. Best absolute.'),
  offset: z.number().int().min(0).optional().describe('First line, from 1. Only for a part of a long file.'),
  limit: z.number().int().min(1).optional().describe('Number of lines. Only for a part of a long file.'),
  pages: z
    .string()
    .optional()
    .describe('Only for PDF: pages such as "3" or "1-5", at most 20. Needed above 10 pages.'),
})

type ReadInput = z.output<typeof inputSchema>

/** The Read tool, ready for a tool list. */
export type ReadTool = Tool<typeof inputSchema, ReadToolResult, never>

const DESCRIPTION = `Reads one file whose path you know: text with line numbers (number, tab, line), images, PDF, notebooks with outputs.
Reads all of it unless offset or limit is given; a long file gives its first page and says how to go on. Several calls can run at once.
Not for a folder: use ls through Bash. Not to find files by name: Glob. Not to find text or one definition in many files: Grep. Not cat, head or tail through Bash: use this.`

/**
 * Makes the Read tool.
 *
 * @throws RangeError if a limit is not positive.
 *
 * @example
 * const read = createReadTool({ maxTokens: 10_000 })
 */
export function createReadTool(options: ReadToolOptions = {}): ReadTool {
  const settings = resolveOptions(options)
  return defineTool<typeof inputSchema, ReadToolResult>({
    name: 'Read',
    description: DESCRIPTION,
    inputSchema,
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    // The token limit bounds it.
    maxResultSizeChars: Infinity,
    async validateInput({ file_path, pages }) {
      const range = pages === undefined ? undefined : parsePages(pages)
      return typeof range === 'string' ? { ok: false, message: range } : checkPath(file_path)
    },
    backfillInput: withAbsolutePath,
    async call(input, context) {
      return { data: await readFile(input, context, settings) }
    },
    mapResult: toReadBlock,
  })
}

interface ReadSettings {
  readonly operations: FileOperations
  readonly maxTokens: number
  readonly maxFileBytes: number
  readonly shrinkImage: ShrinkImage | undefined
  readonly extractPdfPages: ExtractPdfPages | undefined
}

function resolveOptions(options: ReadToolOptions): ReadSettings {
  const { operations = nodeFileOperations, maxTokens = 25_000, maxFileBytes = 100 * 1024 * 1024 } = options
  if (!(maxTokens > 0)) throw new RangeError(`maxTokens must be positive, got ${maxTokens}`)
  if (!(maxFileBytes > 0)) throw new RangeError(`maxFileBytes must be positive, got ${maxFileBytes}`)
  const { shrinkImage, extractPdfPages } = options
  return { operations, maxTokens, maxFileBytes, shrinkImage, extractPdfPages }
}

interface ReadRequest {
  readonly input: ReadInput
  readonly context: ToolUseContext
  readonly settings: ReadSettings
  /** Absolute path, as asked for. */
  readonly filePath: string
  /** Real path, the key of what is known. */
  readonly path: string
}

async function readFile(
  input: ReadInput,
  context: ToolUseContext,
  settings: ReadSettings,
): Promise<ReadToolResult> {
  const { signal } = context.abortController
  signal.throwIfAborted()
  const filePath = toAbsolutePath(input.file_path, context)
  const file = await openFile(filePath, context, settings.operations)
  await using open = file
  const path = await settings.operations.realpath(filePath)
  assertNoEnvironment(path)
  const request: ReadRequest = { input, context, settings, filePath, path }
  if (isUnchanged(request, open.info)) return { type: 'file_unchanged', file: { filePath } }
  const chunks = readChunks(open, signal)
  const head = (await chunks.next()).value ?? Buffer.of()
  const special = await readSpecial(request, open, head)
  if (special !== undefined) return special
  return await readLinesOf(request, open, { head, chunks })
}

async function openFile(
  path: string,
  context: ToolUseContext,
  operations: FileOperations,
): Promise<OpenFile> {
  try {
    return await operations.open(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) throw await missingFile(path, context, operations)
    if (hasCode(error, 'EACCES', 'EPERM')) throw new Error(`Permission denied: ${path}`, { cause: error })
    if (!hasCode(error, 'EINVAL')) throw error
    const { kind } = await operations.stat(path)
    if (kind === 'directory') {
      throw new Error(
        `This is a directory, not a file: ${path}. To see what is in it, use ls through Bash.`,
        { cause: error },
      )
    }
    throw new Error(`Not a regular file (a device, pipe or socket), so it is not read: ${path}`, {
      cause: error,
    })
  }
}

/** An entry that a write left does not count: the model has not seen line numbers of that content. */
function isUnchanged({ input, context, path }: ReadRequest, info: FileInfo): boolean {
  const state = context.files.get(path)
  return (
    state?.source === 'read' &&
    !state.isPartialView &&
    state.mtimeMs === info.mtimeMs &&
    state.sizeBytes === info.sizeBytes &&
    state.offset === input.offset &&
    state.limit === input.limit
  )
}

/** What is no text. Content decides; for a notebook, which is JSON, the name does too. */
async function readSpecial(
  request: ReadRequest,
  file: OpenFile,
  head: Buffer,
): Promise<ReadToolResult | undefined> {
  const { filePath, input, settings } = request
  if (sniffImage(head) !== undefined) {
    return readImage(await loadWhole(request, file), settings.shrinkImage)
  }
  if (head.subarray(0, 5).toString('latin1') === '%PDF-') {
    const range = input.pages === undefined ? undefined : parsePages(input.pages)
    const pages = typeof range === 'string' ? undefined : range
    return readPdf(await loadWhole(request, file), { filePath, pages, extract: settings.extractPdfPages })
  }
  const isRange = input.offset !== undefined || input.limit !== undefined
  return isNotebookPath(filePath) && !isRange ? readNotebook(request, file) : undefined
}

/** A broken notebook is shown as the text it is, so that it can be mended. */
async function readNotebook(request: ReadRequest, file: OpenFile): Promise<ReadToolResult | undefined> {
  const bytes = await loadWhole(request, file)
  const cells = parseNotebook(bytes.toString('utf8'))
  if (cells === undefined) return undefined
  const tokens = Math.ceil(textBytesOf(cells) / BYTES_PER_TOKEN)
  const maxTokens = maxTokensOf(request)
  if (tokens > maxTokens) {
    throw new Error(
      `File content (${tokens} tokens) exceeds maximum allowed tokens (${maxTokens}). ` +
        'Use offset and limit to read lines of the JSON, or Grep or jq through Bash to find the cell that you need.',
    )
  }
  remember(request, file.info, { isWhole: true, digest: digestOf(bytes) })
  return { type: 'notebook', file: { filePath: request.filePath, cells } }
}

async function readLinesOf(
  request: ReadRequest,
  file: OpenFile,
  source: { readonly head: Buffer; readonly chunks: AsyncGenerator<Buffer, void> },
): Promise<ReadToolResult> {
  const { filePath, input } = request
  const { offset, limit } = input
  const reading = await readText(file, source, { filePath, offset, limit, maxTokens: maxTokensOf(request) })
  remember(request, file.info, reading)
  return { type: 'text', file: reading.view }
}

/** A part of a file that is known whole takes nothing away from that knowledge. */
function remember(
  { input, context, path }: ReadRequest,
  { mtimeMs, sizeBytes }: FileInfo,
  { isWhole, digest }: { readonly isWhole: boolean; readonly digest?: string | undefined },
): void {
  const known = context.files.get(path)
  const isKnown = known?.isPartialView === false && known.mtimeMs === mtimeMs && known.sizeBytes === sizeBytes
  if (!isWhole && isKnown) return
  context.files.set(path, {
    mtimeMs,
    sizeBytes,
    source: 'read',
    isPartialView: !isWhole,
    ...(input.offset !== undefined && { offset: input.offset }),
    ...(input.limit !== undefined && { limit: input.limit }),
    ...(digest !== undefined && { digest }),
  })
}

async function loadWhole({ context, settings }: ReadRequest, file: OpenFile): Promise<Buffer> {
  const maxBytes = context.limits?.maxFileBytes ?? settings.maxFileBytes
  return (await loadFile(file, { maxBytes, signal: context.abortController.signal })).bytes
}

function maxTokensOf({ context, settings }: ReadRequest): number {
  return context.limits?.maxReadTokens ?? settings.maxTokens
}
