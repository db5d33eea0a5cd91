import type { AssistantMessage, ContentBlock, Message, SessionEvent, ToolResultBlock } from '@x/contract'

export const sessionId = '11111111-2222-4333-8444-555555555555'

export function user(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}

export function assistant(id: string, ...content: ContentBlock[]): AssistantMessage {
  return { role: 'assistant', id, content }
}

export function text(value: string): ContentBlock {
  return { type: 'text', text: value }
}

export function thinking(value: string): ContentBlock {
  return { type: 'thinking', thinking: value, signature: `sig+/=${value.length}` }
}

export function call(id: string, input: unknown = { path: 'ä.ts' }): ContentBlock {
  return { type: 'tool_use', id, name: 'Read', input }
}

export function result(id: string, content = 'done'): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: id, content }
}

export function results(...ids: string[]): Message {
  return { role: 'user', content: ids.map((id) => result(id)) }
}

let count = 0

/** An event with its stamp. */
export function event(sequence: number, fields: object): SessionEvent {
  count += 1
  // Several processes write one file in turn.
  const uuid = `${String(process.pid).padStart(8, '0')}-0000-4000-8000-${String(count).padStart(12, '0')}`
  // Data of any shape, as a session would stamp it.
  return { session_id: sessionId, uuid, sequence, ...fields } as SessionEvent
}

export function assistantEvent(sequence: number, message: object, fields: object = {}): SessionEvent {
  return event(sequence, { type: 'assistant', message, parent_tool_use_id: null, ...fields })
}

export function userEvent(sequence: number, message: object, fields: object = {}): SessionEvent {
  return event(sequence, { type: 'user', message, parent_tool_use_id: null, ...fields })
}
