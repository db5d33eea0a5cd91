import { Buffer } from 'node:buffer'
import type { TextBlock, ToolResultPart } from '@x/contract'
import { HARD_LIMITS, inspectImage, longestEdge } from './check-image.ts'
import { parseRawNotebook, type RawOutput, textSchema } from './notebook-format.ts'
import type { ImageMediaType } from './sniff-image.ts'

/** One cell of a notebook as Read shows it. */
export interface NotebookCell {
  /** The cell's own id, or `cell-N` counted from 0 where the format has none. */
  readonly id: string
  /** `code`, `markdown` or `raw`. */
  readonly cellType: string
  /** The text of the cell. */
  readonly source: string
  /** Language of a code cell. */
  readonly language?: string
  /** How often the kernel had run a cell when it ran this one. */
  readonly executionCount?: number
  /** What a code cell put out, in order. */
  readonly outputs?: readonly NotebookOutput[]
}

/** One output of a code cell. */
export type NotebookOutput =
  | {
      /** Printed text, a value, or a failure with its trace. */
      readonly type: 'text'
      /** The text, without the colours of a terminal in a trace. */
      readonly text: string
    }
  | {
      /** A picture that may be sent to the model. */
      readonly type: 'image'
      /** What it is, by its content. */
      readonly mediaType: ImageMediaType
      /** Its bytes. */
      readonly base64: string
    }

/** The cells of a notebook; `undefined` if the text is none. */
export function parseNotebook(text: string): readonly NotebookCell[] | undefined {
  const notebook = parseRawNotebook(text)
  if (typeof notebook === 'string') return undefined
  const { cells, language } = notebook
  const room: ImageRoom = { images: MAX_IMAGES, base64Bytes: MAX_IMAGE_BYTES }
  return cells.map((cell) => ({
    id: cell.shownId,
    cellType: cell.cell_type,
    source: cell.source,
    ...(cell.cell_type === 'code' && { language }),
    ...(typeof cell.execution_count === 'number' && { executionCount: cell.execution_count }),
    ...(cell.outputs !== undefined && { outputs: cell.outputs.flatMap((output) => toOutputs(output, room)) }),
  }))
}

/** Bytes of text that the cells take; pictures are counted otherwise. */
export function textBytesOf(cells: readonly NotebookCell[]): number {
  const texts = cells.flatMap(({ source, outputs = [] }) => [
    source,
    ...outputs.map((output) => (output.type === 'text' ? output.text : '')),
  ])
  return texts.reduce((total, text) => total + Buffer.byteLength(text), 0)
}

/** The cells for the model; pictures stand between the texts. */
export function formatCells(cells: readonly NotebookCell[]): ToolResultPart[] {
  const parts: ToolResultPart[] = []
  for (const cell of cells) {
    addText(parts, formatCell(cell))
    for (const output of cell.outputs ?? []) addOutput(parts, output)
  }
  if (parts.length === 0) addText(parts, 'The notebook exists but has no cells.')
  return parts
}

function toOutputs(output: RawOutput, room: ImageRoom): readonly NotebookOutput[] {
  if (output.traceback !== undefined || output.ename !== undefined)
    return [{ type: 'text', text: formatFailure(output) }]
  if (output.text !== undefined) return [{ type: 'text', text: output.text }]
  for (const mediaType of ['image/png', 'image/jpeg']) {
    const image = textSchema.safeParse(output.data?.[mediaType])
    if (image.success) return [toImage(image.data.replaceAll(/\s/g, ''), room)]
  }
  const text = textSchema.safeParse(output.data?.['text/plain'])
  return text.success ? [{ type: 'text', text: text.data }] : []
}

/** What is left for pictures: a request with too many of them is refused, and so is every later one. */
interface ImageRoom {
  images: number
  base64Bytes: number
}

const MAX_IMAGES = 20
const MAX_IMAGE_BYTES = 8 * 1024 * 1024

/** One that the service might refuse is named instead. */
function toImage(base64: string, room: ImageRoom): NotebookOutput {
  const image = inspectImage(Buffer.from(base64, 'base64'))
  if (image === undefined) return { type: 'text', text: '[image: damaged]' }
  if (base64.length > HARD_LIMITS.base64Bytes || longestEdge(image.size) > HARD_LIMITS.edgePx) {
    return { type: 'text', text: '[image: too large to show]' }
  }
  room.images--
  room.base64Bytes -= base64.length
  if (room.images < 0 || room.base64Bytes < 0) return { type: 'text', text: '[image: one too many to show]' }
  return { type: 'image', mediaType: image.mediaType, base64 }
}

/** Without the colours of the terminal. */
function formatFailure({ ename = '', evalue = '', traceback = [] }: RawOutput): string {
  const text = [`${ename}: ${evalue}`, ...traceback].join('\n')
  return text.replaceAll(new RegExp(`${String.fromCodePoint(0x1b)}\\[[0-9;]*m`, 'g'), '')
}

function formatCell({ id, cellType, source, language }: NotebookCell): string {
  const kind = language === undefined ? cellType : `${cellType}, ${language}`
  return `<cell id="${id}" type="${kind}">\n${source}\n</cell>`
}

function addOutput(parts: ToolResultPart[], output: NotebookOutput): void {
  if (output.type === 'text') return addText(parts, `<output>\n${output.text}\n</output>`)
  const source = { type: 'base64' as const, media_type: output.mediaType, data: output.base64 }
  parts.push({ type: 'image', source })
}

/** Neighbouring texts become one block. */
function addText(parts: ToolResultPart[], text: string): void {
  const last = parts.at(-1)
  if (last?.type !== 'text') {
    parts.push({ type: 'text', text })
    return
  }
  const joined: TextBlock = { type: 'text', text: `${last.text}\n${text}` }
  parts.splice(-1, 1, joined)
}
