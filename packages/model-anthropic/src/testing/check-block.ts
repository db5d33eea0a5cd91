import { isJsonObject } from '../json-object.ts'

/** Says what the service would refuse in one content block, as text that follows its place; null when nothing. */
export function checkBlock(block: unknown, role: 'user' | 'assistant'): string | null {
  if (!isJsonObject(block) || typeof block['type'] !== 'string') return '.type: Field required'
  const { type } = block
  if (onlyIn.get(type) !== undefined && onlyIn.get(type) !== role) {
    return `: \`${type}\` blocks are not allowed in ${role} messages`
  }
  if ('cache_control' in block && unmarked.has(type))
    return `.${type}.cache_control: Extra inputs are not permitted`
  return checks.get(type)?.(block) ?? null
}

type Check = (block: Readonly<Record<string, unknown>>) => string | null

const onlyIn: ReadonlyMap<string, 'user' | 'assistant'> = new Map([
  ['tool_result', 'user'],
  ['image', 'user'],
  ['document', 'user'],
  ['tool_use', 'assistant'],
  ['thinking', 'assistant'],
  ['redacted_thinking', 'assistant'],
])

const unmarked: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking'])

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['text', checkText],
  ['tool_use', checkToolUse],
  ['tool_result', checkToolResult],
  ['thinking', checkThinking],
  ['redacted_thinking', (block) => (typeof block['data'] === 'string' ? null : '.data: Field required')],
])

function checkText(block: Readonly<Record<string, unknown>>): string | null {
  const { text } = block
  if (typeof text !== 'string') return '.text: Field required'
  if (text === '') return ': text content blocks must be non-empty'
  return text.trim() === '' ? ': text content blocks must contain non-whitespace text' : null
}

function checkToolUse(block: Readonly<Record<string, unknown>>): string | null {
  return (
    checkId(block['id'], 'id') ??
    (typeof block['name'] === 'string' && /^[a-zA-Z0-9_-]{1,200}$/.test(block['name'])
      ? null
      : `.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'`) ??
    (isJsonObject(block['input']) ? null : '.tool_use.input: Input should be a valid dictionary')
  )
}

function checkToolResult(block: Readonly<Record<string, unknown>>): string | null {
  const fault = checkId(block['tool_use_id'], 'tool_use_id')
  if (fault !== null) return fault
  const { content } = block
  if (content === undefined || typeof content === 'string') return null
  if (!Array.isArray(content)) return '.tool_result.content: Input should be a valid list'
  for (const [index, part] of content.entries()) {
    const wrong = checkBlock(part, 'user')
    if (wrong !== null) return `.tool_result.content.${index}${wrong}`
  }
  return null
}

function checkThinking(block: Readonly<Record<string, unknown>>): string | null {
  if (typeof block['thinking'] !== 'string') return '.thinking.thinking: Field required'
  return typeof block['signature'] === 'string' ? null : '.thinking.signature: Field required'
}

function checkId(id: unknown, name: string): string | null {
  if (typeof id === 'string' && /^[a-zA-Z0-9_-]+$/.test(id)) return null
  return `.${name}: String should match pattern '^[a-zA-Z0-9_-]+$'`
}
