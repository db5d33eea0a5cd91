import type { AssistantMessage, ToolUseBlock } from '@x/contract'

/** The calls that a message makes. */
export function callsOf({ content }: AssistantMessage): readonly ToolUseBlock[] {
  // A block of this type in an answer of the model is a call.
  return typeof content === 'string'
    ? []
    : content.flatMap((block) => (block.type === 'tool_use' ? [block as ToolUseBlock] : []))
}
