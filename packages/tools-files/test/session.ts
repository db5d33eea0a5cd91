import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AssistantMessage, CanUseTool, Tool, ToolResultBlock, ToolUseContext } from '@x/contract'
import {
  createEditTool,
  createFileReadCache,
  createNotebookEditTool,
  createReadTool,
  createWriteTool,
  type EditToolOptions,
  type EditToolResult,
  type NotebookEditToolResult,
  type ReadToolOptions,
  type ReadToolResult,
  type WriteToolResult,
} from '@x/tools-files'
import type { ZodType } from 'zod'

/** The answer to one call, as the program and as the model see it. */
interface Answer<Output> {
  readonly data: Output
  readonly block: ToolResultBlock
  /** The text for the model; empty if it is no text. */
  readonly text: string
}

/** A temporary folder with the tools in it. */
export interface Session extends AsyncDisposable {
  readonly cwd: string
  readonly context: ToolUseContext
  path(name: string): string
  read(input: string | Record<string, unknown>): Promise<Answer<ReadToolResult>>
  edit(
    file_path: string,
    old_string: string,
    new_string: string,
    more?: object,
  ): Promise<Answer<EditToolResult>>
  write(file_path: string, content: string): Promise<Answer<WriteToolResult>>
  editCell(notebook_path: string, new_source: string, more?: object): Promise<Answer<NotebookEditToolResult>>
}

export interface SessionSettings {
  readonly context?: Partial<ToolUseContext>
  readonly read?: ReadToolOptions
  readonly change?: EditToolOptions
  readonly canUseTool?: CanUseTool
}

export async function openSession(settings: SessionSettings = {}): Promise<Session> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'tools-files-')))
  const context = makeContext(cwd, settings.context)
  const run = makeRunner(context, settings.canUseTool ?? deny)
  const read = createReadTool(settings.read)
  const edit = createEditTool(settings.change)
  const write = createWriteTool(settings.change)
  const notebookEdit = createNotebookEditTool(settings.change)
  return {
    cwd,
    context,
    path: (name) => join(cwd, name),
    read: (input) => run(read, typeof input === 'string' ? { file_path: input } : input),
    edit: (...[file_path, old_string, new_string, more]) =>
      run(edit, { file_path, old_string, new_string, ...more }),
    write: (file_path, content) => run(write, { file_path, content }),
    editCell: (...[notebook_path, new_source, more]) =>
      run(notebookEdit, { notebook_path, new_source, ...more }),
    [Symbol.asyncDispose]: () => rm(cwd, { recursive: true, force: true }),
  }
}

export function makeContext(cwd: string, more: Partial<ToolUseContext> = {}): ToolUseContext {
  return {
    cwd,
    toolUseId: 'call_1',
    messages: [],
    options: { tools: [], model: 'none', isNonInteractive: true, projectDir: cwd },
    abortController: new AbortController(),
    chain: { id: 'chain', depth: 0 },
    files: createFileReadCache(),
    getState: (key) => key.initial(),
    setState: () => {},
    ...more,
  }
}

export const allow: CanUseTool = async () => ({ behavior: 'allow', reason: { type: 'mode', detail: 'test' } })
export const deny: CanUseTool = async () => ({
  behavior: 'deny',
  message: 'denied',
  reason: { type: 'mode', detail: 'test' },
})

const message: AssistantMessage = { role: 'assistant', content: [] }

type Runner = <Output>(tool: Tool<ZodType, Output, never>, input: object) => Promise<Answer<Output>>

/** The steps of the executor that matter here: parse, validate, call, map. */
function makeRunner(context: ToolUseContext, canUseTool: CanUseTool): Runner {
  return async (tool, input) => {
    const parsed = tool.inputSchema.parse(input)
    const verdict = await tool.validateInput?.(parsed, context)
    if (verdict?.ok === false) throw new Error(verdict.message)
    const { data } = await tool.call(parsed, context, canUseTool, message, () => {})
    const block = tool.mapResult(data, context.toolUseId)
    return { data, block, text: typeof block.content === 'string' ? block.content : '' }
  }
}
