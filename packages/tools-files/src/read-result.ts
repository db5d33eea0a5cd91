import type { ToolResultBlock, ToolResultPart } from '@x/contract'
import type { NotebookCell } from './notebook.ts'
import { formatCells } from './notebook.ts'
import type { ImageMediaType } from './sniff-image.ts'

/** Lines of a text file. */
export interface TextView {
  readonly filePath: string
  /** The lines, joined by line feeds, without the last line's own. */
  readonly content: string
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
  readonly base64: string
  readonly type: ImageMediaType
  /** Bytes of the file; `base64` may be a smaller version. */
  readonly originalSize: number
  readonly dimensions: { readonly originalWidth: number; readonly originalHeight: number }
}

/** What Read found. */
export type ReadToolResult =
  | { readonly type: 'text'; readonly file: TextView }
  | { readonly type: 'image'; readonly file: ImageView }
  | {
      readonly type: 'notebook'
      readonly file: { readonly filePath: string; readonly cells: readonly NotebookCell[] }
    }
  | {
      readonly type: 'pdf'
      readonly file: { readonly filePath: string; readonly base64: string; readonly originalSize: number }
    }
  | { readonly type: 'file_unchanged'; readonly file: { readonly filePath: string } }

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
