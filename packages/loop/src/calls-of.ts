import type { AssistantMessage, ToolUseBlock } from '@x/contract'

/** The calls that a message makes. */
export function callsOf({ content }: AssistantMessage): readonly ToolUseBlock[] {
  return typeof content === 'string'
    ? []
    : content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
}
