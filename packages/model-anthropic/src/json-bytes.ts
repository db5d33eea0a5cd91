import type { ContentBlock, Message, TextBlock, ToolDefinition } from '@x/contract'

/**
 * The JSON bytes of what a request is made of, each after a comma as in a list, kept as long as the object itself lives.
 *
 * Without it, turn 200 writes the whole history out again. Objects given here must not change afterwards.
 */
export class ByteCache {
  readonly #bytes = new WeakMap<object, Uint8Array>()

  /** Gives the bytes of a message. A marker goes onto its last block, which must be able to carry one. */
  message(message: Message, marker: string | null): Uint8Array {
    return mark(
      this.#get(message, () => toWireMessage(message)),
      marker,
      BLOCK_TAIL,
    )
  }

  /** Gives the bytes of a tool definition, with the marker if there is one. */
  tool(tool: ToolDefinition, marker: string | null): Uint8Array {
    const { name, description, input_schema } = tool
    return mark(
      this.#get(tool, () => ({ name, description, input_schema })),
      marker,
      OBJECT_TAIL,
    )
  }

  /** Gives the bytes of a system block, with the marker if there is one. */
  system(block: TextBlock, marker: string | null): Uint8Array {
    return mark(
      this.#get(block, () => block),
      marker,
      OBJECT_TAIL,
    )
  }

  #get(key: object, toWire: () => unknown): Uint8Array {
    const known = this.#bytes.get(key)
    if (known !== undefined) return known
    // Not `Buffer.from`: its bytes lie in a shared block of 64 KiB, which would stay for the sake of one message.
    const bytes = encoder.encode(`,${JSON.stringify(toWire())}`)
    this.#bytes.set(key, bytes)
    return bytes
  }
}

const encoder = new TextEncoder()
// A message ends with the end of its last block, of the list and of itself.
const BLOCK_TAIL = '}]}'
const OBJECT_TAIL = '}'

// Content is always written as a list: a marker then changes no byte before it.
function toWireMessage({ role, content }: Message): unknown {
  const blocks: readonly ContentBlock[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return { role, content: blocks }
}

function mark(bytes: Uint8Array, marker: string | null, tail: string): Uint8Array {
  if (marker === null) return bytes
  return Buffer.concat([
    bytes.subarray(0, bytes.length - tail.length),
    Buffer.from(`,"cache_control":${marker}${tail}`),
  ])
}
