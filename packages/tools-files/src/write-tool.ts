import { type CanUseTool, defineTool, type Tool, type ToolUseContext } from '@x/contract'
import { z } from 'zod'
import { type ChangeOptions, type ChangePlan, changeFile, resolveChangeOptions } from './change-file.ts'
import { encode } from './encode-text.ts'
import { checkPath, withAbsolutePath } from './file-path.ts'
import { toCrlf, usesCrlf } from './line-endings.ts'
import { makePatch, type PatchHunk } from './patch.ts'
import type { LoadedFile } from './read-bytes.ts'
import { CHANGED_SINCE_READ, checkReadState, isNotebookPath } from './read-state.ts'
import { detectCodec, utf8 } from './text-codec.ts'

/** Settings of {@link createWriteTool}. */
export type WriteToolOptions = ChangeOptions

/** What a write did. */
export interface WriteToolResult {
  /** Whether there was a file before. */
  readonly type: 'create' | 'update'
  /** Absolute path, as asked for. */
  readonly filePath: string
  /** The content as asked for; on disk it has the line endings of the file it replaced. */
  readonly content: string
  /** The changed places; empty for a new file. */
  readonly structuredPatch: readonly PatchHunk[]
  /** The file before; `null` if there was none. */
  readonly originalFile: string | null
}

const inputSchema = z.strictObject({
  file_path: z.string().describe('Path of the file. Best absolute. Missing folders are made.'),
  content: z.string().describe('The whole new content.'),
})

/** The Write tool, ready for a tool list. */
export type WriteTool = Tool<typeof inputSchema, WriteToolResult, never>

const DESCRIPTION = `Makes a file or replaces all of its content. An existing file must have been read first.
Not for a change of a part: Edit sends only that. Not for echo or here-documents through Bash: use this.
Write documentation files only when asked to.`

/**
 * Makes the Write tool. An existing file keeps its encoding, byte-order mark, line endings, mode and links.
 *
 * @example
 * const write = createWriteTool()
 */
export function createWriteTool(options: WriteToolOptions = {}): WriteTool {
  const settings = resolveChangeOptions(options)
  return defineTool<typeof inputSchema, WriteToolResult>({
    name: 'Write',
    description: DESCRIPTION,
    inputSchema,
    validateInput: async ({ file_path }) => checkPath(file_path),
    backfillInput: withAbsolutePath,
    async call({ file_path, content }, context, canUseTool) {
      const { filePath, facts } = await changeFile(file_path, context, {
        settings,
        plan: (path, current) => planWrite({ path, current, context, canUseTool, content }),
      })
      return { data: { filePath, content, ...facts } }
    },
    mapResult: ({ type, filePath }, toolUseId) => {
      const verb = type === 'create' ? 'created' : 'updated'
      return {
        type: 'tool_result',
        tool_use_id: toolUseId,
        content: `The file ${filePath} has been ${verb}.`,
      }
    },
  })
}

interface WriteRequest {
  readonly path: string
  readonly current: LoadedFile | undefined
  readonly context: ToolUseContext
  readonly canUseTool: CanUseTool
  readonly content: string
}

type WriteFacts = Pick<WriteToolResult, 'type' | 'structuredPatch' | 'originalFile'>

async function planWrite(request: WriteRequest): Promise<ChangePlan<WriteFacts>> {
  const { path, current, content } = request
  if (current === undefined) {
    return {
      content: [encode(content, utf8)],
      facts: { type: 'create', structuredPatch: [], originalFile: null },
    }
  }
  const state = await checkReadState({ ...request, current, isReadRequired: isNotebookPath(path) })
  if (state === 'changed') throw new Error(CHANGED_SINCE_READ)
  const codec = await detectCodec(current.bytes, true)
  const originalFile = codec.decode(current.bytes.subarray(codec.mark.length))
  // The file has its mark already; one more would be a character of the text.
  const text = codec.mark.length > 0 && content.startsWith('\uFEFF') ? content.slice(1) : content
  const adapted = usesCrlf(originalFile) ? toCrlf(text) : text
  const structuredPatch = await makePatch(originalFile, adapted, { oldLine: 1, newLine: 1 })
  return {
    content: [codec.mark, encode(adapted, codec)],
    facts: { type: 'update', structuredPatch, originalFile },
  }
}
