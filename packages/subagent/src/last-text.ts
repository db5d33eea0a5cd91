import type { AssistantMessage, Message } from '@x/contract'

/** The last text the model wrote: searched from the newest message back, text blocks joined by newlines. Empty: none. */
export function findLastText(messages: readonly Message[]): string {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index]
    const text = message?.role === 'assistant' ? textOf(message) : ''
    if (text !== '') return text
  }
  return ''
}

/** The text of one message; blanks alone are none. */
export function textOf({ content }: Pick<AssistantMessage, 'content'>): string {
  const text =
    typeof content === 'string'
      ? content
      : content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  return text.trim() === '' ? '' : text
}
