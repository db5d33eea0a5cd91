import type { ToolResultBlock, ToolResultPart } from '@x/contract'
import { emptyText } from './answers.ts'

const MAX_DEPTH = 100

/** The text of a result, its parts joined by newlines. */
export function textOf({ content }: ToolResultBlock): string {
  if (typeof content === 'string') return content
  return (content ?? []).flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
}

/** Everything of a result that is not text. */
function mediaOf({ content }: ToolResultBlock): readonly ToolResultPart[] {
  return typeof content === 'string' ? [] : (content ?? []).filter((part) => part.type !== 'text')
}

/** Puts one text in place of all texts of a result; images and the like stay. */
export function withText(result: ToolResultBlock, text: string): ToolResultBlock {
  const media = mediaOf(result)
  return { ...result, content: media.length === 0 ? text : [{ type: 'text', text }, ...media] }
}

/** Makes sure that the model can be sent this content: whole characters, nothing empty. */
export function soundContent(name: string, content: unknown): string | ToolResultPart[] {
  if (typeof content === 'string') return isBlank(content) ? emptyText(name) : content.toWellFormed()
  const parts = Array.isArray(content) ? content.filter(isPart) : []
  return parts.length === 0 ? emptyText(name) : parts.map(soundPart)
}

/** Replaces half characters anywhere in JSON data. */
export function soundData(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((item: unknown) => soundData(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, soundData(item, depth + 1)]))
}

function soundPart(part: ToolResultPart): ToolResultPart {
  // Same shape, whole characters.
  return soundData(part) as ToolResultPart
}

function isPart(part: unknown): part is ToolResultPart {
  if (typeof part !== 'object' || part === null || !('type' in part) || typeof part.type !== 'string')
    return false
  return part.type !== 'text' || ('text' in part && typeof part.text === 'string' && !isBlank(part.text))
}

function isBlank(text: string): boolean {
  return !/\S/u.test(text)
}
