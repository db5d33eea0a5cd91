import type { ContentBlock, Message } from '@x/contract'
import { blocksOf } from './group-messages.ts'

/**
 * What events have brought into the history since it was last appended to, so that the same content, told again as messages, is not
 * written twice.
 */
export class CoveredBlocks {
  readonly #counts = new Map<string, number>()

  /** Notes what an event brought. */
  add(message: Message): void {
    for (const block of blocksOf(message)) {
      const key = keyOf(message.role, block)
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    }
  }

  /** Gives the part of a message that nobody has brought yet; nothing if there is none. The same message if it is new as a whole. */
  takeNew<Some extends Message>(message: Some): Some | undefined {
    if (this.#counts.size === 0) return message
    const blocks = blocksOf(message)
    const fresh = blocks.filter((block) => !this.#take(keyOf(message.role, block)))
    if (fresh.length === blocks.length) return message
    return fresh.length === 0 ? undefined : { ...message, content: fresh }
  }

  /** Forgets all: what comes now is new. */
  clear(): void {
    this.#counts.clear()
  }

  #take(key: string): boolean {
    const count = this.#counts.get(key) ?? 0
    if (count === 1) this.#counts.delete(key)
    else if (count > 1) this.#counts.set(key, count - 1)
    return count > 0
  }
}

/** Calls and results are told apart by their ids, all else by what it is. */
function keyOf(role: string, block: ContentBlock): string {
  if (block.type === 'tool_use' && 'id' in block) return `call ${block.id}`
  if (block.type === 'tool_result' && 'tool_use_id' in block) return `result ${block.tool_use_id}`
  return `${role} ${JSON.stringify(block, mend)}`
}

/** Half a character is mended before it is sent, and told again as mended. */
function mend(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}
