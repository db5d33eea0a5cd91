import type { ContentBlock, JsonObject, ModelEvent } from '@x/contract'
import { isJsonObject, toText } from './json-object.ts'
import { parseJson } from './parse-json.ts'

/**
 * Puts blocks together from their events, by index.
 *
 * A tool input is parsed once, from its whole text, at the block's end. A block without an end is never given out.
 */
export class BlockAssembler {
  readonly #open = new Map<number, OpenBlock>()

  /** Takes a `content_block_start`; null where it is malformed. */
  start(raw: JsonObject): ModelEvent | null {
    const { index, content_block: block } = raw
    if (typeof index !== 'number' || !isJsonObject(block) || typeof block['type'] !== 'string') return null
    this.#open.set(index, { type: block['type'], block, texts: new Map(), citations: [] })
    return { type: 'block-start', index, blockType: block['type'], raw }
  }

  /** Takes a `content_block_delta`; null where nothing can be made of it. */
  delta(raw: JsonObject): ModelEvent | null {
    const found = this.#find(raw)
    const { delta } = raw
    if (found === null || !isJsonObject(delta)) return null
    const { index, open } = found
    if (delta['type'] === 'citations_delta') {
      open.citations.push(delta['citation'])
      return { type: 'block-delta', index, raw }
    }
    const field = fields.get(toText(delta['type']))
    const piece = field === undefined ? undefined : delta[field]
    if (field === undefined || typeof piece !== 'string') return null
    open.texts.set(field, (open.texts.get(field) ?? '') + piece)
    return { type: 'block-delta', index, raw, ...(shown.has(field) ? { text: piece } : {}) }
  }

  /** Takes a `content_block_stop`; null where the block never began or has ended before. */
  stop(raw: JsonObject): ModelEvent | null {
    const found = this.#find(raw)
    if (found === null) return null
    this.#open.delete(found.index)
    return { type: 'block-end', index: found.index, raw, ...finish(found.open) }
  }

  #find({ index }: JsonObject): { readonly index: number; readonly open: OpenBlock } | null {
    const open = typeof index === 'number' ? this.#open.get(index) : undefined
    return typeof index === 'number' && open !== undefined ? { index, open } : null
  }
}

interface OpenBlock {
  readonly type: string
  /** The block as it began. */
  readonly block: JsonObject
  /** What the deltas brought, by field. */
  readonly texts: Map<string, string>
  readonly citations: unknown[]
}

const fields: ReadonlyMap<string, string> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['signature_delta', 'signature'],
  ['input_json_delta', 'partial_json'],
])

// What a person may read while it comes.
const shown: ReadonlySet<string> = new Set(['text', 'thinking'])

interface FinishedBlock {
  readonly block: ContentBlock
  readonly inputError?: string
}

function finish(open: OpenBlock): FinishedBlock {
  switch (open.type) {
    case 'text':
      return { block: finishText(open) }
    case 'thinking':
      return {
        block: { type: 'thinking', thinking: whole(open, 'thinking'), signature: whole(open, 'signature') },
      }
    case 'redacted_thinking':
      return { block: { type: 'redacted_thinking', data: toText(open.block['data']) } }
    case 'tool_use':
      return finishToolUse(open)
    default:
      return finishForeign(open)
  }
}

function whole(open: OpenBlock, field: string): string {
  const begun = open.block[field]
  return toText(begun) + (open.texts.get(field) ?? '')
}

function finishText(open: OpenBlock): ContentBlock {
  const begun = Array.isArray(open.block['citations']) ? open.block['citations'] : []
  const citations: unknown[] = [...begun, ...open.citations]
  // Citations are the service's own: they go back as they came, and only if there are any.
  return { type: 'text', text: whole(open, 'text'), ...(citations.length === 0 ? {} : { citations }) }
}

function finishToolUse(open: OpenBlock): FinishedBlock {
  const { id, name, caller } = open.block
  const { input, inputError } = parseInput(open)
  const isDirect = !isJsonObject(caller) || caller['type'] === 'direct'
  const block: ContentBlock = {
    type: 'tool_use',
    id: toText(id),
    name: toText(name),
    input,
    ...(isDirect ? {} : { caller }),
  }
  return inputError === undefined ? { block } : { block, inputError }
}

function finishForeign(open: OpenBlock): FinishedBlock {
  const hasInput = open.texts.has('partial_json')
  // The one edge where a block of the service's own tools becomes a `ForeignBlock`: it is kept as it came, and goes back the same.
  const block = (hasInput
    ? { ...open.block, input: parseInput(open).input }
    : open.block) as unknown as ContentBlock
  return { block }
}

function parseInput(open: OpenBlock): { readonly input: unknown; readonly inputError?: string } {
  const text = open.texts.get('partial_json') ?? ''
  // Services that do not stream inputs put them whole into the start of the block.
  if (text === '') return { input: isJsonObject(open.block['input']) ? open.block['input'] : {} }
  try {
    const input: unknown = parseJson(text)
    if (isJsonObject(input)) return { input }
    return { input: {}, inputError: `The input is not a JSON object: ${excerpt(text)}` }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { input: {}, inputError: `The input is not valid JSON (${reason}): ${excerpt(text)}` }
  }
}

function excerpt(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200).toWellFormed()}...`
}
