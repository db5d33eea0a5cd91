import { Buffer, isUtf8 } from 'node:buffer'
import { type CanUseTool, defineTool, type InputVerdict, type Tool, type ToolUseContext } from '@x/contract'
import { z } from 'zod'
import { type ChangeOptions, type ChangePlan, changeFile, resolveChangeOptions } from './change-file.ts'
import { type ChangedNotebook, changeNotebook, type NotebookChange } from './change-notebook.ts'
import { cannotHold } from './encode-text.ts'
import type { FileOperations } from './file-operations.ts'
import { checkPath, toAbsolutePath } from './file-path.ts'
import { missingFile } from './missing-file.ts'
import type { LoadedFile } from './read-bytes.ts'
import { CHANGED_SINCE_READ, checkReadState, isNotebookPath } from './read-state.ts'
import { utf8 } from './text-codec.ts'

/** Settings of {@link createNotebookEditTool}. */
export type NotebookEditToolOptions = ChangeOptions

/** What a change of a cell did. */
export interface NotebookEditToolResult {
  /** The new text of the cell, as asked for; says nothing where a cell was deleted. */
  readonly new_source: string
  /** The text of the cell before; absent for a new cell. */
  readonly old_source?: string
  /** The cell as Read shows it now, a deleted one as it was. */
  readonly cell_id: string
  /** `code`, `markdown`, or `raw` for a cell that was it before. */
  readonly cell_type: string
  /** Language of the notebook's code cells. */
  readonly language: string
  /** What was done to the cell. */
  readonly edit_mode: 'replace' | 'insert' | 'delete'
  /** Absolute path, as asked for. */
  readonly notebook_path: string
  /** The whole file before. */
  readonly original_file: string
  /** The whole file now. */
  readonly updated_file: string
  /** Cells without an id are named by their place, and some have another now. */
  readonly is_renumbered?: boolean
}

const inputSchema = z.strictObject({
  notebook_path: z.string().describe('Path of the .ipynb file. Best absolute.'),
  new_source: z.string().describe('The whole new text of the cell. Empty for delete.'),
  cell_id: z
    .string()
    .optional()
    .describe('Id of the cell as Read shows it. insert: the new cell goes behind it; without it, first.'),
  cell_type: z
    .enum(['code', 'markdown'])
    .optional()
    .describe('Kind of the cell. Needed for insert; else the cell keeps its kind.'),
  edit_mode: z.enum(['replace', 'insert', 'delete']).optional().describe('Default replace.'),
})

/** The NotebookEdit tool, ready for a tool list. */
export type NotebookEditTool = Tool<typeof inputSchema, NotebookEditToolResult, never>

const DESCRIPTION = `Replaces, inserts or deletes one cell of a Jupyter notebook (.ipynb); everything else in the file stays as it is.
Read the notebook first: it shows the id of each cell. A code cell that is replaced loses its outputs; nothing is run.
Not for other files or for the JSON around the cells: use Edit. Not for a new notebook: use Write.`

/**
 * Makes the NotebookEdit tool: changes one cell of a notebook of format 4, and no other byte of the file.
 *
 * @throws RangeError if a limit is not positive.
 *
 * @example
 * const notebookEdit = createNotebookEditTool()
 */
export function createNotebookEditTool(options: NotebookEditToolOptions = {}): NotebookEditTool {
  const settings = resolveChangeOptions(options)
  return defineTool<typeof inputSchema, NotebookEditToolResult>({
    name: 'NotebookEdit',
    description: DESCRIPTION,
    inputSchema,
    shouldDefer: true,
    validateInput: async (input) => checkInput(input),
    backfillInput: (input, context) => ({
      ...input,
      notebook_path: toAbsolutePath(input.notebook_path, context),
    }),
    async call(input, context, canUseTool) {
      const { operations } = settings
      const { filePath, facts } = await changeFile(input.notebook_path, context, {
        settings,
        plan: (path, current) => planChange({ path, current, context, canUseTool, input, operations }),
      })
      const { new_source, edit_mode = 'replace' } = input
      return { data: { new_source, edit_mode, notebook_path: filePath, ...facts } }
    },
    mapResult: (output, toolUseId) => ({
      type: 'tool_result',
      tool_use_id: toolUseId,
      content: describe(output),
    }),
  })
}

type NotebookEditInput = z.output<typeof inputSchema>

function checkInput(input: NotebookEditInput): InputVerdict {
  const { notebook_path: path, new_source: source } = input
  const verdict = checkPath(path, 'notebook_path')
  if (!verdict.ok) return verdict
  if (!isNotebookPath(path)) {
    return { ok: false, message: `Not a notebook: ${path} does not end in .ipynb. Use Edit for other files.` }
  }
  if (!source.isWellFormed()) return { ok: false, message: cannotHold(utf8).message }
  const change = toChange(input)
  return typeof change === 'string' ? { ok: false, message: change } : { ok: true }
}

/** What is asked for, or what is missing. */
function toChange(input: NotebookEditInput): NotebookChange | string {
  const {
    edit_mode: editMode = 'replace',
    cell_id: cellId,
    cell_type: cellType,
    new_source: newSource,
  } = input
  if (editMode === 'insert') {
    return cellType === undefined
      ? 'cell_type is missing: insert needs it. Say code or markdown.'
      : { editMode, cellId, cellType, newSource }
  }
  if (cellId === undefined)
    return `cell_id is missing: ${editMode} needs it. Read shows the ids of the cells.`
  return editMode === 'delete' ? { editMode, cellId } : { editMode, cellId, cellType, newSource }
}

interface NotebookEditRequest {
  readonly path: string
  readonly current: LoadedFile | undefined
  readonly context: ToolUseContext
  readonly canUseTool: CanUseTool
  readonly input: NotebookEditInput
  readonly operations: FileOperations
}

type NotebookEditFacts = Omit<NotebookEditToolResult, 'new_source' | 'edit_mode' | 'notebook_path'>

async function planChange(request: NotebookEditRequest): Promise<ChangePlan<NotebookEditFacts>> {
  const { path, current, context, canUseTool, input, operations } = request
  if (current === undefined) {
    throw await missingFile(toAbsolutePath(input.notebook_path, context), context, operations)
  }
  const state = await checkReadState({ path, current, context, canUseTool })
  // Cells may have moved, so an id that is a place may mean another cell now.
  if (state === 'changed') throw new Error(CHANGED_SINCE_READ)
  const change = toChange(input)
  if (typeof change === 'string') throw new Error(change)
  const { mark, text } = decodeNotebook(current.bytes)
  const changed = changeNotebook(text, change)
  return { content: [mark, Buffer.from(changed.text)], facts: toFacts(text, changed) }
}

/** Lossless: what is no UTF-8 is no notebook, and is refused. */
function decodeNotebook(bytes: Buffer): { readonly mark: Buffer; readonly text: string } {
  if (!isUtf8(bytes)) {
    throw new Error('The notebook is not valid JSON: it is not UTF-8. The file was left as it is.')
  }
  const markBytes = bytes.subarray(0, 3).equals(Buffer.of(0xef, 0xbb, 0xbf)) ? 3 : 0
  return { mark: bytes.subarray(0, markBytes), text: bytes.toString('utf8', markBytes) }
}

function toFacts(original: string, changed: ChangedNotebook): NotebookEditFacts {
  const { text, cellId, cellType, language, oldSource, isRenumbered } = changed
  return {
    ...(oldSource !== undefined && { old_source: oldSource }),
    cell_id: cellId,
    cell_type: cellType,
    language,
    original_file: original,
    updated_file: text,
    ...(isRenumbered && { is_renumbered: true }),
  }
}

function describe(output: NotebookEditToolResult): string {
  const { edit_mode, cell_id, cell_type, notebook_path, is_renumbered = false } = output
  const verb = { replace: 'replaced', insert: 'inserted', delete: 'deleted' }[edit_mode]
  const note = is_renumbered
    ? ' Cells behind it that have no id are counted anew: the number of each has changed by one.'
    : ''
  return `The ${cell_type} cell ${cell_id} of ${notebook_path} has been ${verb}.${note}`
}
