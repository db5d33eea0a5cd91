import { createHash } from 'node:crypto'
import type { WireBlock, WireMessage } from './recorded-request.ts'

/** Signs thoughts and notices when one comes back altered. */
export class ThoughtLedger {
  readonly #thoughtBySignature = new Map<string, string>()
  readonly #redacted = new Set<string>()
  /** An id may come twice; then its calls may have been thought about differently. */
  readonly #thoughtsByToolUse = new Map<string, readonly string[]>()

  /** Remembers the blocks of one finished answer. */
  remember(blocks: readonly WireBlock[]): void {
    for (const block of blocks) {
      if (block.type === 'thinking') {
        this.#thoughtBySignature.set(String(block['signature']), String(block['thinking']))
      }
      if (block.type === 'redacted_thinking') this.#redacted.add(String(block['data']))
      if (block.type !== 'tool_use') continue
      const id = String(block['id'])
      this.#thoughtsByToolUse.set(id, [...(this.#thoughtsByToolUse.get(id) ?? []), thoughtsOf(blocks)])
    }
  }

  /** Says what is wrong with the thoughts of a history; null when nothing is. */
  fault(messages: readonly WireMessage[]): string | null {
    for (const [index, message] of messages.entries()) {
      if (typeof message.content === 'string') continue
      for (const [place, block] of message.content.entries()) {
        const fault = this.#blockFault(block)
        if (fault !== null) return `messages.${index}.content.${place}: ${fault}`
      }
    }
    return this.#lastTurnFault(messages)
  }

  #blockFault(block: WireBlock): string | null {
    if (block.type === 'redacted_thinking') {
      return this.#redacted.has(String(block['data'])) ? null : 'Invalid `data` in `redacted_thinking` block'
    }
    if (block.type !== 'thinking') return null
    const signature = String(block['signature'])
    const thought = String(block['thinking'])
    const isKnown = signature === signThought(thought) || this.#thoughtBySignature.get(signature) === thought
    return isKnown ? null : 'Invalid `signature` in `thinking` block'
  }

  // While a tool loop lasts, the thoughts of its assistant message must come back complete and in order.
  #lastTurnFault(messages: readonly WireMessage[]): string | null {
    const index = messages.findLastIndex((message) => message.role === 'assistant')
    const content = messages[index]?.content ?? []
    if (typeof content === 'string') return null
    for (const block of content) {
      const sent = block.type === 'tool_use' ? this.#thoughtsByToolUse.get(String(block['id'])) : undefined
      if (sent?.includes(thoughtsOf(content)) === false) {
        return `messages.${index}.content: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified`
      }
    }
    return null
  }
}

/** Makes the signature of a thought: the same text always gets the same one. */
export function signThought(thought: string): string {
  return `sig_${createHash('sha256').update(thought).digest('base64url')}`
}

function thoughtsOf(blocks: readonly WireBlock[]): string {
  const parts = blocks
    .filter((block) => block.type === 'thinking' || block.type === 'redacted_thinking')
    .map((block) => [block.type, block['thinking'], block['signature'], block['data']])
  return JSON.stringify(parts)
}
