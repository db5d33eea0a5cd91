import { z } from 'zod'

// JSON may spell out half a surrogate pair, which no request may contain.
const stringSchema = z.string().transform((text) => text.toWellFormed())

/** A text of a notebook: whole, or in pieces that are joined. */
export const textSchema = z
  .union([stringSchema, z.array(stringSchema)])
  .transform((text) => (typeof text === 'string' ? text : text.join('')))

const outputSchema = z.looseObject({
  output_type: stringSchema,
  text: textSchema.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: stringSchema.optional(),
  evalue: stringSchema.optional(),
  traceback: z.array(stringSchema).optional(),
})
const cellSchema = z.looseObject({
  id: stringSchema.optional(),
  cell_type: stringSchema,
  source: textSchema,
  execution_count: z.number().nullish(),
  outputs: z.array(outputSchema).optional(),
})
const notebookSchema = z.looseObject({
  cells: z.array(cellSchema),
  metadata: z.looseObject({ language_info: z.looseObject({ name: stringSchema }).optional() }).optional(),
  nbformat: z.number().optional().catch(undefined),
  nbformat_minor: z.number().optional().catch(undefined),
})

/** An output as the file has it. */
export type RawOutput = z.output<typeof outputSchema>

/** A notebook as the file has it, with the name of each cell. */
export interface RawNotebook {
  readonly cells: readonly RawCell[]
  /** Language of its code cells. */
  readonly language: string
  /** From format 4.5 on each cell has an id; before, none may have one. */
  readonly hasCellIds: boolean
}

/** A cell as the file has it. */
export interface RawCell extends z.output<typeof cellSchema> {
  /** The cell's own id, or `cell-N` counted from 0 where it has none. */
  readonly shownId: string
}

/** Understands the text of a notebook of format 4, or says what it is instead. */
export function parseRawNotebook(text: string): RawNotebook | 'not-json' | 'not-notebook' {
  const json = parseJson(text)
  if (json === undefined) return 'not-json'
  const parsed = notebookSchema.safeParse(json)
  if (!parsed.success) return 'not-notebook'
  const { cells, metadata, nbformat = 4, nbformat_minor: minor = 0 } = parsed.data
  return {
    cells: cells.map((cell, index) => ({ ...cell, shownId: cell.id ?? `cell-${index}` })),
    language: metadata?.language_info?.name ?? 'python',
    hasCellIds: nbformat > 4 || (nbformat === 4 && minor >= 5),
  }
}

/** `undefined` for what is no JSON. A byte-order mark is none of its characters. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
