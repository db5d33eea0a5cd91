import type { JsonObject } from '@x/contract'
import { type CanUseToolCallback, isPermissionAnswer } from './can-use-tool.ts'

/** Calls the tool of an MCP server that answers permission questions, and gives the text of its result. */
export type CallPromptTool = (input: JsonObject, signal: AbortSignal) => Promise<string>

/**
 * Makes a permission callback of a tool named with `--permission-prompt-tool`: it is asked with `tool_name`, `input` and
 * `tool_use_id` and answers with JSON. What only a person may answer it cannot allow; an answer of no known shape is a deny.
 */
export function createPromptToolCallback(callTool: CallPromptTool): CanUseToolCallback {
  return async (toolName, input, { toolUseID, signal, verdict }) => {
    const text = await callTool({ tool_name: toolName, input, tool_use_id: toolUseID }, signal)
    const answer: unknown = JSON.parse(text)
    if (!isPermissionAnswer(answer))
      throw new TypeError('the permission prompt tool gave no answer of a known shape')
    if (answer.behavior === 'allow' && verdict.needsPerson === true) {
      return {
        behavior: 'deny',
        message: `${toolName} must be answered by the user; the permission prompt tool cannot do that.`,
      }
    }
    return answer
  }
}
