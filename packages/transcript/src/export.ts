import type { JsonObject, Message } from '@x/contract'
import { blocksOf } from './group-messages.ts'
import { isObject } from './record.ts'

/** Writes a conversation for people: who said what, calls and their results. Thoughts are left out. */
export function toMarkdown(title: string, messages: readonly Message[]): string {
  const parts = messages.flatMap((message) => toSections(message.role, blocksOf(message).map(toLooseBlock)))
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`
}

function toSections(role: string, blocks: readonly JsonObject[]): readonly string[] {
  const sections: string[] = []
  let speaker: string | undefined
  for (const block of blocks) {
    const section = toSection(block)
    if (section === undefined) continue
    const name = block['type'] === 'tool_result' ? undefined : role === 'user' ? '## User' : '## Assistant'
    if (name !== undefined && name !== speaker) sections.push(name)
    speaker = name ?? speaker
    sections.push(section)
  }
  return sections
}

function toSection(block: JsonObject): string | undefined {
  const { type, text, name, input, content, is_error: isError } = block
  if (type === 'text') return typeof text === 'string' && text.trim() !== '' ? text : undefined
  if (type === 'thinking' || type === 'redacted_thinking') return undefined
  if (type === 'tool_use')
    return `**${String(name)}**\n\n${fence(JSON.stringify(input, undefined, 2), 'json')}`
  if (type === 'tool_result') {
    return `${isError === true ? 'Failed' : 'Result'}:\n\n${fence(contentText(content), '')}`
  }
  return `[${String(type)}]`
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map(toLooseBlock)
    .map(({ type, text }) => (typeof text === 'string' ? text : `[${String(type)}]`))
    .join('\n')
}

/** The fence is longer than any inside. */
function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${text}\n${ticks}`
}

function toLooseBlock(block: unknown): JsonObject {
  return isObject(block) ? block : {}
}
