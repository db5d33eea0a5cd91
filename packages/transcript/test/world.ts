import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AssistantMessage, ContentBlock, Message, SessionEvent, ToolResultBlock } from '@x/contract'
import { unknownOutcomeText } from '@x/transcript'
import { onTestFinished } from 'vitest'

/** A temporary folder, gone after the test. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'x-transcript-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const sessionId = '11111111-2222-4333-8444-555555555555'

/** The records of a file that is whole. */
export function recordsOf(path: string): Record<string, unknown>[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

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
  const uuid = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
  // Data of any shape, as a session would stamp it.
  return { session_id: sessionId, uuid, sequence, ...fields } as SessionEvent
}

export function assistantEvent(sequence: number, message: object, fields: object = {}): SessionEvent {
  return event(sequence, { type: 'assistant', message, parent_tool_use_id: null, ...fields })
}

export function userEvent(sequence: number, message: object, fields: object = {}): SessionEvent {
  return event(sequence, { type: 'user', message, parent_tool_use_id: null, ...fields })
}

/** The texts of a history, one a block; calls and results by id. */
export function outline(messages: readonly Message[]): string[] {
  return messages.map(({ role, content }) => {
    const blocks = typeof content === 'string' ? [text(content)] : content
    return `${role}: ${blocks.map(blockName).join(', ')}`
  })
}

function blockName(block: ContentBlock): string {
  if (block.type === 'text') return 'text' in block ? block.text : ''
  if (block.type === 'tool_use' && 'id' in block) return `call ${block.id}`
  if (block.type === 'tool_result' && 'tool_use_id' in block)
    return `${block.is_error === true ? 'failed' : 'result'} ${block.tool_use_id}`
  return block.type
}

/** Tells whether every block of one history is in another, byte by byte and in the same order; made-up results do not count. */
export function holdsAll(whole: readonly Message[], part: readonly Message[]): boolean {
  const found = blockTexts(whole).values()
  return blockTexts(part)
    .filter((block) => !block.includes(unknownOutcomeText))
    .every((block) => found.some((each) => each === block))
}

function blockTexts(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }) =>
    (typeof content === 'string' ? [text(content)] : content).map(
      (block) => `${role} ${JSON.stringify(block)}`,
    ),
  )
}
