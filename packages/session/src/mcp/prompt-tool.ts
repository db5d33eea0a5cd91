import type { SessionRecord } from '@x/contract'
import { type CanUseToolCallback, createPromptToolCallback } from '@x/permissions'
import type { SessionMcp } from './session-mcp.ts'

/** Asks the tool of an MCP server about calls, and remembers which it denied. */
export interface PromptTool {
  readonly canUseTool: CanUseToolCallback
  /** Whether a record tells of a denial by the tool: those are in the result alone. */
  hides(record: SessionRecord): boolean
}

/** Makes the permission callback of `--permission-prompt-tool`. */
export function createPromptTool(name: string, mcp: SessionMcp): PromptTool {
  const asked = new Set<string>()
  const ask = createPromptToolCallback((input, signal) => mcp.callByName(name, input, signal))
  return {
    canUseTool(toolName, input, context) {
      asked.add(context.toolUseID)
      return ask(toolName, input, context)
    },
    hides: (record) =>
      record.type === 'system' &&
      record.subtype === 'permission_denied' &&
      typeof record['tool_use_id'] === 'string' &&
      asked.has(record['tool_use_id']),
  }
}
