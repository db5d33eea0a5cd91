import { randomUUID } from 'node:crypto'
import { repairHistory, type UserMessage, type UserRecord } from '@x/contract'
import { isRecord } from './is-record.ts'
import { isUuid } from './is-uuid.ts'
import type { UserInput } from './session-options.ts'

/** What the model is told. */
export function toUserMessage({ message }: UserInput): UserMessage {
  return { role: 'user', content: message.content }
}

/** Names a prompt: as the client does, where that is a name that no other message can have. */
export function promptId(inputs: readonly UserInput[], isUsed: (id: string) => boolean): string {
  const own = inputs.at(-1)?.uuid
  return own !== undefined && isUuid(own) && !isUsed(own) ? own : randomUUID()
}

/** The user's message given back as a record. */
export function toReplay(input: UserInput): UserRecord {
  return { type: 'user', message: toUserMessage(input), parent_tool_use_id: null, isReplay: true }
}

/** Is there nothing to answer? What could not be sent counts as nothing: a result of a call that nobody made, say. */
export function isBlank(inputs: readonly UserInput[]): boolean {
  return repairHistory(inputs.map(toUserMessage)).messages.length === 0
}

/**
 * Checks what a host gives as a message; its blocks are looked at when they are sent.
 *
 * @throws TypeError if it is none.
 */
export function assertUserInput(input: unknown): void {
  const message = isRecord(input) ? input['message'] : undefined
  const content = isRecord(message) ? message['content'] : undefined
  if (typeof content === 'string' || Array.isArray(content)) return
  throw new TypeError(
    'prompt must give user messages: { type: "user", message: { role: "user", content } }, content being text or blocks',
  )
}
