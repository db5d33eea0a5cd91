import type { ContentBlock, Message } from '@x/contract'
import { isSummaryText } from '@x/loop'

/** The words of one message as a reader of the conversation sees them, a piece for each part of it. */
export type MessageTexts = (message: Message) => readonly string[]

/** What the person and the model said; nothing of what tools gave back, and nothing that the program put in. */
export function spokenTexts({ role, content }: Message): readonly string[] {
  return blocksOf(content).flatMap((block) => spoken(role, block))
}

/** What was said, the calls and what they gave back. */
export function allTexts({ role, content }: Message): readonly string[] {
  return blocksOf(content).flatMap((block) => {
    if (block.type === 'tool_use' && 'input' in block)
      return [`Call: ${block.name} ${JSON.stringify(block.input)}`]
    if (block.type === 'tool_result' && 'content' in block) return [`Result: ${resultText(block.content)}`]
    return spoken(role, block)
  })
}

function blocksOf(content: Message['content']): readonly ContentBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function spoken(role: Message['role'], block: ContentBlock): readonly string[] {
  const text = wordsOf(block)
  const speaker = role === 'user' ? 'User' : 'Assistant'
  return text === '' || isFromProgram(text) ? [] : [`${speaker}: ${text}`]
}

function wordsOf(block: ContentBlock): string {
  return block.type === 'text' && 'text' in block ? block.text.trim() : ''
}

/** Reminders, notices of tasks, a summary: what has a frame of its own is no person's word. */
function isFromProgram(text: string): boolean {
  return isSummaryText(text) || /^<(?:system-reminder|task-notification|agent-message)\b/.test(text)
}

function resultText(content: string | readonly { readonly type: string }[] | undefined): string {
  if (content === undefined || typeof content === 'string') return content ?? ''
  return content.map((part) => ('text' in part ? String(part.text) : '')).join('\n')
}
