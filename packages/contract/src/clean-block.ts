import type { HistoryFaultCode } from './history-fault.ts'
import { toWellFormed } from './well-formed.ts'

/** A block as it may come from a disk: some `type`, anything else. */
export type LooseBlock = Readonly<Record<string, unknown>> & { readonly type: string }

type Report = (code: HistoryFaultCode) => void

/**
 * Makes a block fit to be sent; `undefined` where it must be dropped. A block without fault comes back as the same object.
 *
 * Thinking and whatever this project does not make itself is opaque: signed or encrypted, so any change would break it.
 */
export function cleanBlock(
  block: unknown,
  role: 'user' | 'assistant',
  report: Report,
): LooseBlock | undefined {
  if (isBlock(block)) {
    if (block.type === 'tool_use') return role === 'assistant' ? cleanCall(block, report) : refuse(report)
    if (block.type !== 'tool_result') return cleanPart(block, report)
    if (role === 'user') return cleanResult(block, report)
    report('misplaced-result')
    return undefined
  }
  return refuse(report)
}

function isBlock(value: unknown): value is LooseBlock {
  return isRecord(value) && typeof value['type'] === 'string'
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuse(report: Report): undefined {
  report('malformed-block')
}

function cleanCall(block: LooseBlock, report: Report): LooseBlock {
  const id = typeof block['id'] === 'string' ? block['id'] : ''
  const hasShape = typeof block['name'] === 'string' && isRecord(block['input'])
  if (!hasShape) report('malformed-block')
  const name = typeof block['name'] === 'string' ? block['name'] : 'unknown'
  const input = isRecord(block['input']) ? block['input'] : {}
  return wellFormedFields(withFields(block, { id, name, input }), report)
}

function cleanResult(block: LooseBlock, report: Report): LooseBlock {
  const { content, tool_use_id: toolUseId, is_error: isError } = block
  const fields = {
    tool_use_id: typeof toolUseId === 'string' ? toolUseId.toWellFormed() : '',
    content: cleanResultContent(content, report),
    is_error: typeof isError === 'boolean' ? isError : undefined,
  }
  if (fields.tool_use_id !== toolUseId)
    report(typeof toolUseId === 'string' ? 'malformed-text' : 'malformed-block')
  if (fields.is_error !== isError) report('malformed-block')
  return withFields(block, fields)
}

function cleanResultContent(content: unknown, report: Report): unknown {
  if (content === undefined) return undefined
  if (typeof content === 'string') {
    if (!content.isWellFormed()) report('malformed-text')
    return content.toWellFormed()
  }
  if (!Array.isArray(content)) return refuse(report)
  const parts = content.map((part: unknown) => (isBlock(part) ? cleanPart(part, report) : refuse(report)))
  const isSame = parts.every((part, index) => part !== undefined && part === content[index])
  return isSame ? content : parts.filter((part) => part !== undefined)
}

function cleanPart(block: LooseBlock, report: Report): LooseBlock | undefined {
  switch (block.type) {
    case 'text':
      return cleanText(block, report)
    case 'image':
    case 'document':
    case 'tool_reference':
      return wellFormedFields(block, report)
    default:
      return block
  }
}

function cleanText(block: LooseBlock, report: Report): LooseBlock | undefined {
  const { text } = block
  if (typeof text !== 'string') return refuse(report)
  if (/\S/u.test(text)) return wellFormedFields(block, report)
  report('empty-block')
  return undefined
}

function wellFormedFields(block: LooseBlock, report: Report): LooseBlock {
  const fixed = toWellFormed(block)
  if (fixed === block || !isBlock(fixed)) return block
  report('malformed-text')
  return fixed
}

/** Replaces fields; `undefined` removes one. Nothing to replace: the same object. */
function withFields(block: LooseBlock, fields: Readonly<Record<string, unknown>>): LooseBlock {
  const changed = Object.entries(fields).filter(([key, value]) => block[key] !== value)
  if (changed.length === 0) return block
  const copy: Record<string, unknown> & { type: string } = { ...block }
  for (const [key, value] of changed) {
    if (value === undefined) delete copy[key]
    else copy[key] = value
  }
  return copy
}
