import { Buffer } from 'node:buffer'
import { type CanUseTool, defineTool, type Tool, type ToolUseContext } from '@x/contract'
import { z } from 'zod'
import { joinEdit, patchOfEdit, planEdit, type Replacement } from './apply-edit.ts'
import { type ChangeOptions, type ChangePlan, changeFile, resolveChangeOptions } from './change-file.ts'
import { cannotHold, encode } from './encode-text.ts'
import type { FileOperations } from './file-operations.ts'
import { checkPath, toAbsolutePath, withAbsolutePath } from './file-path.ts'
import { formatPatch } from './format-patch.ts'
import { missingFile } from './missing-file.ts'
import { makePatch, type PatchHunk } from './patch.ts'
import type { LoadedFile } from './read-bytes.ts'
import { CHANGED_SINCE_READ, checkReadState } from './read-state.ts'
import { detectCodec, type TextCodec, utf8 } from './text-codec.ts'

/** Settings of {@link createEditTool}. */
export type EditToolOptions = ChangeOptions

/** What an edit did. */
export interface EditToolResult {
  /** Absolute path, as asked for. */
  readonly filePath: string
  /** The text that was replaced, as asked for. */
  readonly oldString: string
  /** The text in its place, as asked for; on disk it has the line endings of the place. */
  readonly newString: string
  /** The file before the edit; empty if it did not exist. Decoded when asked for: few ask, and files can be large. */
  readonly originalFile: string
  /** The first 500 changed places, with three lines around each. */
  readonly structuredPatch: readonly PatchHunk[]
  /** Always false: a host that lets people change the edit says so itself. */
  readonly userModified: boolean
  /** Whether every occurrence was replaced. */
  readonly replaceAll: boolean
  /** The file had changed since it was read, and the text still stood there once. */
  readonly hadOtherChanges?: boolean
}

const inputSchema = z.strictObject({
  file_path: z.string().describe('Path of the file. Best absolute.'),
  old_string: z
    .string()
    .describe('Exact text to replace, as Read shows it without line number and tab. Empty: make a new file.'),
  new_string: z.string().describe('Text to put in its place. Must differ from old_string.'),
  replace_all: z
    .boolean()
    .optional()
    .describe('Replace every occurrence instead of exactly one. Default false.'),
})

/** The Edit tool, ready for a tool list. */
export type EditTool = Tool<typeof inputSchema, EditToolResult, never>

const DESCRIPTION = `Replaces exact text in a file; everything else in it stays as it is, line endings and encoding too.
Read the file first. old_string must occur exactly once, else add surrounding lines or set replace_all (to rename, say).
Not for a new or wholly rewritten file: use Write. Not for sed or awk through Bash: use this.`

/**
 * Makes the Edit tool: exact replacement on the bytes of a file.
 *
 * @example
 * const edit = createEditTool()
 */
export function createEditTool(options: EditToolOptions = {}): EditTool {
  const settings = resolveChangeOptions(options)
  return defineTool<typeof inputSchema, EditToolResult>({
    name: 'Edit',
    description: DESCRIPTION,
    inputSchema,
    async validateInput({ file_path, old_string, new_string }) {
      if (old_string === new_string) {
        return { ok: false, message: 'No changes to make: old_string and new_string are exactly the same.' }
      }
      return checkPath(file_path)
    },
    backfillInput: withAbsolutePath,
    async call(input, context, canUseTool) {
      const { old_string: oldString, new_string: newString, replace_all: replaceAll = false } = input
      const outcome = await changeFile(input.file_path, context, {
        settings,
        plan: (path, current) =>
          planChange({ path, current, context, canUseTool, input, operations: settings.operations }),
      })
      const { filePath, facts } = outcome
      const { originalText, ...rest } = facts
      const data: EditToolResult = {
        filePath,
        oldString,
        newString,
        ...rest,
        get originalFile() {
          return originalText()
        },
        userModified: false,
        replaceAll,
      }
      return { data }
    },
    mapResult: (output, toolUseId) => ({
      type: 'tool_result',
      tool_use_id: toolUseId,
      content: describe(output),
    }),
  })
}

type EditInput = z.output<typeof inputSchema>

interface EditRequest {
  readonly path: string
  readonly current: LoadedFile | undefined
  readonly context: ToolUseContext
  readonly canUseTool: CanUseTool
  readonly input: EditInput
  readonly operations: FileOperations
}

/** What `changeFile` hands back from a plan to the result. */
interface EditFacts {
  readonly originalText: () => string
  readonly structuredPatch: readonly PatchHunk[]
  readonly hadOtherChanges?: boolean
}

async function planChange(request: EditRequest): Promise<ChangePlan<EditFacts>> {
  const { path, current, context, canUseTool, input } = request
  if (current === undefined) return planNewFile(request)
  if (input.old_string === '' && hasContent(current.bytes)) {
    throw new Error(
      'old_string is empty, but the file exists and is not. Name the text to replace, or use Write to replace all of it.',
    )
  }
  const state = await checkReadState({ path, current, context, canUseTool })
  const codec = await detectCodec(current.bytes, true)
  const replacements =
    input.old_string === '' ? fill(current.bytes, input, codec) : find(current.bytes, { input, codec, state })
  return {
    content: joinEdit(current.bytes, replacements),
    facts: {
      originalText: () => codec.decode(current.bytes.subarray(codec.mark.length)),
      structuredPatch: await patchOfEdit(current.bytes, replacements, codec),
      ...(state === 'changed' && { hadOtherChanges: true }),
    },
  }
}

async function planNewFile({ input, context, operations }: EditRequest): Promise<ChangePlan<EditFacts>> {
  const { file_path, old_string, new_string } = input
  if (old_string !== '') throw await missingFile(toAbsolutePath(file_path, context), context, operations)
  const structuredPatch = await makePatch('', new_string, { oldLine: 1, newLine: 1 })
  return { content: [encode(new_string, utf8)], facts: { originalText: () => '', structuredPatch } }
}

/** An empty file, with or without a byte-order mark, gets its first content. */
function fill(bytes: Buffer, { new_string }: EditInput, codec: TextCodec): readonly Replacement[] {
  return [{ start: bytes.length, end: bytes.length, bytes: encode(new_string, codec) }]
}

function find(
  bytes: Buffer,
  {
    input,
    codec,
    state,
  }: { readonly input: EditInput; readonly codec: TextCodec; readonly state: 'known' | 'changed' },
): readonly Replacement[] {
  const plan = planEdit(bytes, { oldText: input.old_string, newText: input.new_string }, codec)
  if (plan.type === 'not-encodable') throw cannotHold(codec)
  const count = plan.type === 'found' ? plan.replacements.length : 0
  const isClear = count === 1 || (count > 1 && input.replace_all === true)
  if (plan.type === 'found' && isClear) return plan.replacements
  if (state === 'changed') throw new Error(CHANGED_SINCE_READ)
  if (count === 0)
    throw new Error(`String to replace not found in file.\nString: ${input.old_string.toWellFormed()}`)
  throw new Error(
    `Found ${count} matches of the string to replace, but replace_all is false. To replace all of them, set replace_all to true. ` +
      `To replace one, give more of the text around it.\nString: ${input.old_string.toWellFormed()}`,
  )
}

function hasContent(bytes: Buffer): boolean {
  const marks = [[], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]]
  return !marks.some((mark) => bytes.equals(Buffer.from(mark)))
}

function describe({ filePath, oldString, structuredPatch, hadOtherChanges }: EditToolResult): string {
  // The model has just sent all of it.
  if (oldString === '') return `The file ${filePath} has been written.`
  const note = hadOtherChanges === true ? ' It had other changes since you read it; they are kept.' : ''
  return `The file ${filePath} has been updated.${note}\n${formatPatch(structuredPatch)}`
}
