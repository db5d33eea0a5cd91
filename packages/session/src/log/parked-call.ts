import type { AssistantMessage, DeferredToolUse, JsonObject, Message } from '@x/contract'
import type { SessionLog } from './session-log.ts'

/** A call that a hook put off when the session ended. */
export interface ParkedCall {
  /** The message that makes it, and no other. */
  readonly message: AssistantMessage
  /** The conversation before that message. */
  readonly before: readonly Message[]
}

/**
 * Finds the call that the session ended with, unless it was answered or has begun since. A copy of the session, and one that keeps
 * nothing, have none: the call would run once more in the original.
 */
export function findParked({ messages, metadata, waitingCalls }: SessionLog): ParkedCall | undefined {
  const [id, ...others] = waitingCalls
  const message = messages.at(-2)
  // The last message says that the outcome is unknown; with more in it, the conversation has gone on.
  const isLast = messages.at(-1)?.content.length === 1
  if (id === undefined || others.length > 0 || message?.role !== 'assistant' || !isLast) return undefined
  return deferredId(metadata.get('result')) === id ? { message, before: messages.slice(0, -2) } : undefined
}

/** What the last result says that is open. */
function deferredId(result: JsonObject | undefined): unknown {
  const call: unknown = result?.['deferred_tool_use']
  return typeof call === 'object' && call !== null && 'id' in call ? call.id : undefined
}

/** The call of a message that has only one, as a result names it. */
export function deferredCall({ content }: AssistantMessage): DeferredToolUse | undefined {
  if (typeof content === 'string') return undefined
  for (const block of content)
    if (block.type === 'tool_use') return { id: block.id, name: block.name, input: block.input }
  return undefined
}
