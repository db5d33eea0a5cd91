import type { AssistantMessage, ToolUseBlock } from '@x/contract'

/** The message of a model that asks for these calls; their ids are `call_1`, `call_2` ... */
export function askFor(...calls: readonly (readonly [tool: string, input: unknown])[]): {
  readonly message: AssistantMessage
  readonly blocks: readonly ToolUseBlock[]
} {
  const blocks = calls.map(([name, input], index): ToolUseBlock => {
    return { type: 'tool_use', id: `call_${index + 1}`, name, input }
  })
  return { message: { role: 'assistant', content: [...blocks] }, blocks }
}
