import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, ToolResultPart } from '@x/contract'
import type { McpCallResult } from './call-server-tool.ts'
import { isRecord } from './is-record.ts'
import { readBase64, sniffImage } from './read-base64.ts'
import type { SaveBlob } from './save-blob.ts'
import { toJson } from './to-json.ts'

/** What the model service takes of one picture, in bytes. */
const MAX_IMAGE_BYTES = 3_750_000

/**
 * Says a result in blocks that a model can read. Texts and pictures go as they are, data as JSON; other bytes are saved and their path is
 * told. What cannot be shown is named. The result is never empty.
 */
export async function toResultContent(
  { content, structuredContent }: Pick<McpCallResult, 'content' | 'structuredContent'>,
  saveBlob: SaveBlob | undefined,
): Promise<readonly ToolResultPart[]> {
  const parts: ToolResultPart[] = []
  for (const block of content) parts.push(...(await toParts(block, saveBlob)))
  if (structuredContent !== undefined && !saysAll(parts, structuredContent)) {
    parts.push(...text(describeData(structuredContent)))
  }
  return parts.length > 0 ? parts : text('(The tool gave no output.)')
}

/** The texts of a result, for hooks and permission prompts. */
export function toResultText({ content, structuredContent }: McpCallResult): string {
  const texts = content
    .filter(isRecord)
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
  if (texts.length > 0 || structuredContent === undefined) return texts.join('\n')
  return describeData(structuredContent)
}

async function toParts(block: unknown, saveBlob: SaveBlob | undefined): Promise<readonly ToolResultPart[]> {
  if (!isRecord(block)) return note('A part of the result', 'it is no block of content')
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string' ? text(block['text']) : note('A text', 'it holds none')
    case 'image':
    case 'audio':
      return toMedia(`The ${block['type']}`, block['data'], { mimeType: textOf(block['mimeType']), saveBlob })
    case 'resource':
      return toResource(block['resource'], saveBlob)
    case 'resource_link':
      return text(describeLink(block))
    default:
      return note(
        'A part of the result',
        `its type ${(toJson(block['type']) ?? '').slice(0, 100)} is unknown`,
      )
  }
}

async function toResource(
  resource: unknown,
  saveBlob: SaveBlob | undefined,
): Promise<readonly ToolResultPart[]> {
  if (!isRecord(resource)) return note('A resource', 'it has no content')
  const name = `The resource ${textOf(resource['uri'])}`
  if (typeof resource['text'] === 'string') return text(`[${name}]\n${resource['text']}`)
  return toMedia(name, resource['blob'], { mimeType: textOf(resource['mimeType']), saveBlob })
}

async function toMedia(
  name: string,
  data: unknown,
  { mimeType, saveBlob }: { readonly mimeType: string; readonly saveBlob: SaveBlob | undefined },
): Promise<readonly ToolResultPart[]> {
  const bytes = readBase64(data)
  if (bytes === undefined) return note(name, 'its data is not base64')
  const imageType = sniffImage(bytes)
  if (imageType !== undefined && bytes.length <= MAX_IMAGE_BYTES) {
    const base64 = Buffer.from(bytes).toString('base64')
    return [{ type: 'image', source: { type: 'base64', media_type: imageType, data: base64 } }]
  }
  const what = `${name} (${mimeType || 'unknown type'}, ${bytes.length} bytes)`
  if (saveBlob === undefined) return note(what, 'it cannot be shown')
  try {
    return text(`[${what} was saved to ${await saveBlob({ bytes, mimeType })}]`)
  } catch {
    return note(what, 'it cannot be shown, and saving it failed')
  }
}

function describeLink(link: JsonObject): string {
  const { uri, name, mimeType, description } = link
  const facts = [textOf(name), textOf(mimeType)].filter((fact) => fact !== '').join(', ')
  const more = textOf(description) === '' ? '' : `\n${textOf(description)}`
  return `[Link to the resource ${textOf(uri)}${facts === '' ? '' : ` (${facts})`}]${more}`
}

/** Many servers say their data as text, too. */
function saysAll(parts: readonly ToolResultPart[], data: unknown): boolean {
  return parts.some((part) => {
    if (part.type !== 'text' || !/^\s*["[{\dtfn-]/.test(part.text)) return false
    try {
      return isDeepStrictEqual(JSON.parse(part.text), data)
    } catch {
      return false
    }
  })
}

function describeData(data: unknown): string {
  return toJson(data) ?? '[The structured content was left out: it is nested too deeply]'
}

function note(what: string, why: string): readonly ToolResultPart[] {
  return text(`[${what} was left out: ${why}]`)
}

/** A text without a visible character is no block for the model. */
function text(value: string): readonly ToolResultPart[] {
  return value.trim() === '' ? [] : [{ type: 'text', text: value.toWellFormed() }]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
