import type { Message, ToolResultBlock, ToolUseBlock } from '@x/contract'

/** Builds a user message; any content, as from a disk. */
export function user(...blocks: readonly unknown[]): Message {
  return JSON.parse(JSON.stringify({ role: 'user', content: blocks })) as Message
}

/** Builds a model message; any content, as from a disk. */
export function assistant(...blocks: readonly unknown[]): Message {
  return JSON.parse(JSON.stringify({ role: 'assistant', content: blocks })) as Message
}

export function text(value: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: value }
}

export function call(id: string, input: unknown = {}): ToolUseBlock {
  return { type: 'tool_use', id, name: 'Read', input }
}

export function result(toolUseId: string, content = 'done'): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: toolUseId, content }
}

export function missing(toolUseId: string): ToolResultBlock {
  const content = '[Tool result missing due to internal error]'
  return { type: 'tool_result', tool_use_id: toolUseId, content, is_error: true }
}

/** Half an emoji. */
export const half = '😀'.slice(0, 1)
