import type { JsonObject } from '@x/contract'
import { isJsonObject } from '../json-object.ts'
import { checkBlock } from './check-block.ts'
import type { WireBlock } from './recorded-request.ts'

/** A message with its content as blocks, or what is wrong with it, as text that follows its place. */
export type ReadMessage =
  | { readonly role: 'user' | 'assistant'; readonly blocks: readonly WireBlock[]; readonly fault: null }
  | { readonly fault: string }

/** Reads one message by the service's rules for messages and blocks alone. */
export function readMessage(message: unknown): ReadMessage {
  if (!isJsonObject(message)) return { fault: ': Input should be a valid dictionary' }
  const { role } = message
  if (role !== 'user' && role !== 'assistant')
    return { fault: `.role: Input should be 'user' or 'assistant'` }
  if (Object.keys(message).some((key) => key !== 'role' && key !== 'content')) {
    return { fault: ': Extra inputs are not permitted' }
  }
  const content = contentOf(message)
  if (typeof content === 'string') return { fault: content }
  const blocks: WireBlock[] = []
  for (const [place, block] of content.entries()) {
    const fault = checkBlock(block, role)
    if (fault !== null) return { fault: `.content.${place}${fault}` }
    if (isWireBlock(block)) blocks.push(block)
  }
  return { role, blocks, fault: null }
}

function contentOf(message: JsonObject): readonly unknown[] | string {
  const { content } = message
  if (content === '') return ': content must be non-empty'
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return '.content: Input should be a valid list'
  return content.length === 0 ? ': all messages must have non-empty content' : content
}

function isWireBlock(value: unknown): value is WireBlock {
  return isJsonObject(value) && typeof value['type'] === 'string'
}
