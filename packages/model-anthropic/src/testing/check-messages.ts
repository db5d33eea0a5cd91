import { readMessage } from './check-message.ts'
import type { WireBlock } from './recorded-request.ts'

/** Says what the service would refuse in `messages`; null when nothing. */
export function checkMessages(messages: unknown): string | null {
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required'
  const pairing: Pairing = { open: [], seen: new Set() }
  for (const [index, message] of messages.entries()) {
    const place = `messages.${index}`
    const read = readMessage(message)
    if (read.fault !== null) return `${place}${read.fault}`
    if (index === 0 && read.role !== 'user') return 'messages: first message must use the "user" role'
    const fault = pairingFault(read, pairing, place)
    if (fault !== null) return fault
    pairing.open = read.role === 'assistant' ? callsOf(read.blocks) : []
  }
  return openCallFault(pairing.open, `messages.${messages.length}`)
}

interface Pairing {
  /** Calls of the message before. */
  open: readonly string[]
  readonly seen: Set<string>
}

function pairingFault(
  message: { readonly role: string; readonly blocks: readonly WireBlock[] },
  { open, seen }: Pairing,
  place: string,
): string | null {
  if (message.role === 'user') return checkResults(message.blocks, open, place)
  return openCallFault(open, place) ?? checkCalls(message.blocks, seen, place)
}

function callsOf(blocks: readonly WireBlock[]): readonly string[] {
  return blocks.filter((block) => block.type === 'tool_use').map((block) => String(block['id']))
}

function checkCalls(blocks: readonly WireBlock[], seen: Set<string>, place: string): string | null {
  for (const id of callsOf(blocks)) {
    if (seen.has(id)) return `${place}: \`tool_use\` ids must be unique: ${id}`
    seen.add(id)
  }
  return null
}

function openCallFault(open: readonly string[], place: string): string | null {
  if (open.length === 0) return null
  return (
    `${place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. ` +
    'Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
  )
}

function checkResults(blocks: readonly WireBlock[], open: readonly string[], place: string): string | null {
  const waiting = new Set(open)
  const known = new Set(open)
  let hasOther = false
  for (const [index, block] of blocks.entries()) {
    if (block.type !== 'tool_result') {
      hasOther = true
      continue
    }
    const id = String(block['tool_use_id'])
    if (!known.has(id))
      return `${place}.content.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`
    if (!waiting.delete(id))
      return `${place}.content.${index}: each tool_use must have a single result: ${id}`
    if (hasOther) return `${place}.content.${index}: \`tool_result\` blocks must come first in the message`
  }
  return openCallFault([...waiting], place)
}
