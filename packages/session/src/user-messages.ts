import type { UserMessage, UserRecord } from '@x/contract'
import type { UserInput } from './session-options.ts'

/** What the model is told. */
export function toUserMessage({ message }: UserInput): UserMessage {
  return { role: 'user', content: message.content }
}

/** The user's message given back as a record. */
export function toReplay(input: UserInput): UserRecord {
  return { type: 'user', message: toUserMessage(input), parent_tool_use_id: null, isReplay: true }
}

/** Is there nothing to answer? */
export function isBlank(inputs: readonly UserInput[]): boolean {
  return inputs.every(({ message: { content } }) => {
    if (typeof content === 'string') return content.trim() === ''
    return content.every((block) => block.type === 'text' && block.text.trim() === '')
  })
}
