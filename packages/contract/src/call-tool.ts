import type { z } from 'zod'
import type { ToolResultBlock } from './blocks.ts'
import type { ToolUseContext } from './context.ts'
import type { CanUseTool } from './permission.ts'
import type { Tool } from './tool.ts'

/** What one call of a tool came to. */
export interface ToolCallOutcome<Output> {
  /** The tool's own output. */
  readonly data: Output
  /** What a model would be told. */
  readonly result: ToolResultBlock
  /** The context of the calls after this one: the same, or what the call made of it (a shell that moved). */
  readonly context: ToolUseContext
}

/**
 * Calls a tool once, without a model, a permission check or a scheduler: for programs that use a tool as a function.
 *
 * A nested permission check is denied. Rejects with what the tool rejects with.
 *
 * @throws TypeError if the input does not fit the schema; Error with the tool's own words if its value check says no.
 *
 * @example
 * const { result } = await callTool(createReadTool(), { file_path: 'package.json' }, context)
 */
export async function callTool<Schema extends z.ZodType, Output>(
  tool: Tool<Schema, Output>,
  input: z.input<Schema>,
  context: ToolUseContext,
): Promise<ToolCallOutcome<Output>> {
  const parsed = await tool.inputSchema.safeParseAsync(input)
  if (!parsed.success) throw new TypeError(describeFault(tool.name, parsed.error), { cause: parsed.error })
  const args = parsed.data
  const verdict = await tool.validateInput?.(args, context)
  if (verdict?.ok === false) throw new Error(verdict.message)
  const done = await tool.call(args, context, denyNested, { role: 'assistant', content: [] }, () => {})
  const result = tool.mapResult(done.data, context.toolUseId)
  return {
    data: done.data,
    result: done.isError === true ? { ...result, is_error: true } : result,
    context: done.contextModifier?.(context) ?? context,
  }
}

function describeFault(toolName: string, { issues }: z.core.$ZodError): string {
  const lines = issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`)
  return `The input does not fit ${toolName}: ${lines.join('; ')}`
}

const denyNested: CanUseTool = async () => ({
  behavior: 'deny',
  message: 'Nobody decides about nested calls here.',
  reason: { type: 'nobody-to-ask', detail: 'the tool was called alone' },
})
