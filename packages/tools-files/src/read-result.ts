import type { ToolResultBlock, ToolResultPart } from '@x/contract'
import type { NotebookCell } from './notebook.ts'
import { formatCells } from './notebook.ts'
import type { ImageMediaType } from './sniff-image.ts'

/** Lines of a text file. */
export interface TextView {
  /** Absolute path, as asked for. */
  readonly filePath: string
  /** The lines, joined by line feeds, without the last line's own. */
  readonly content: string
  /** How many lines these are. */
  readonly numLines: number
  /** Number of the first line, from 1. */
  readonly startLine: number
  /** Lines of the file; absent when reading stopped long before its end. */
  readonly totalLines?: number
  /** The whole file was asked for, and this is its first page. */
  readonly truncatedByTokenCap?: boolean
  /** The last line was too long; only its beginning is here. */
  readonly clippedLine?: boolean
}

/** A picture. */
export interface ImageView {
  /** The picture, or a smaller version of it. */
  readonly base64: string
  /** What `base64` holds. */
  readonly type: ImageMediaType
  /** Bytes of the file. */
  readonly originalSize: number
  /** Size of the picture in the file. */
  readonly dimensions: ImageDimensions
}

/** In pixels. */
export interface ImageDimensions {
  /** Width before any resizing. */
  readonly originalWidth: number
  /** Height before any resizing. */
  readonly originalHeight: number
}

/** A notebook. */
export interface NotebookView {
  /** Absolute path, as asked for. */
  readonly filePath: string
  /** All cells with their outputs, in order. */
  readonly cells: readonly NotebookCell[]
}

/** A PDF, or some pages of it. */
export interface PdfView {
  /** Absolute path, as asked for. */
  readonly filePath: string
  /** The document that the model gets. */
  readonly base64: string
  /** Bytes of the file. */
  readonly originalSize: number
}

/** The file is what an earlier Read has shown. */
export interface UnchangedView {
  /** Absolute path, as asked for. */
  readonly filePath: string
}

/** What Read found. */
export type ReadToolResult =
  | FileView<'text', TextView>
  | FileView<'image', ImageView>
  | FileView<'notebook', NotebookView>
  | FileView<'pdf', PdfView>
  | FileView<'file_unchanged', UnchangedView>

/** One kind of answer of Read. */
export interface FileView<Type extends string, View> {
  /** Tells the kinds apart. */
  readonly type: Type
  /** What there is to see. */
  readonly file: View
}

const UNCHANGED =
  'Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.'

/** Says it to the model. */
export function toReadBlock(output: ReadToolResult, toolUseId: string): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: toolUseId, content: toContent(output) }
}

function toContent(output: ReadToolResult): string | ToolResultPart[] {
  switch (output.type) {
    case 'text':
      return formatText(output.file)
    case 'image': {
      const { type, base64 } = output.file
      return [{ type: 'image', source: { type: 'base64', media_type: type, data: base64 } }]
    }
    case 'notebook':
      return formatCells(output.file.cells)
    case 'pdf': {
      const { base64 } = output.file
      return [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64 } }]
    }
    case 'file_unchanged':
      return UNCHANGED
  }
}

function formatText(view: TextView): string {
  const { content, numLines, startLine, totalLines } = view
  if (totalLines === 0) return 'The file exists but is empty.'
  if (numLines === 0) {
    return `The file exists but has only ${totalLines} lines; offset ${startLine} is past its end.`
  }
  const lines = content.split('\n').map((line, index) => `${startLine + index}\t${line}`)
  const notice = noticeOf(view)
  return notice === undefined ? lines.join('\n') : `${lines.join('\n')}\n\n[${notice}]`
}

/** What is missing, and how to go on. A suggestion names a limit, because what is left may again be too long. */
function noticeOf({ numLines, startLine, totalLines, ...view }: TextView): string | undefined {
  if (view.truncatedByTokenCap !== true && view.clippedLine !== true) return undefined
  const next = startLine + numLines
  const total = totalLines === undefined ? 'a longer file' : `${totalLines}`
  const clipped =
    view.clippedLine === true ? ` Line ${next - 1} is clipped: it is longer than one answer may be.` : ''
  const isEnd = totalLines !== undefined && next > totalLines
  const goOn = isEnd ? '' : ` Go on with offset ${next} and limit ${Math.max(numLines, MIN_LIMIT)}.`
  return `PARTIAL view: lines ${startLine}-${next - 1} of ${total}.${clipped}${goOn}`
}

/** Never suggest to go on line by line. */
const MIN_LIMIT = 100
