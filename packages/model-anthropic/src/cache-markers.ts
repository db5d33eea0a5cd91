import type { Message, ModelRequest, TextBlock, ToolDefinition } from '@x/contract'
import type { AnthropicModelOptions } from './options.ts'

/** Where the cache markers of a request stand. */
export interface MarkedParts {
  readonly tool: ToolDefinition | null
  readonly system: TextBlock | null
  readonly messages: ReadonlySet<Message>
}

/** Gives the JSON of a cache marker for a model; null where caching is off. */
export function cacheMarker(model: string, options: AnthropicModelOptions): string | null {
  const { promptCaching = '5m', promptCachingOffFor = [] } = options
  const isOff = promptCaching === 'off' || promptCachingOffFor.some((part) => model.includes(part))
  if (isOff) return null
  return promptCaching === '1h' ? '{"type":"ephemeral","ttl":"1h"}' : '{"type":"ephemeral"}'
}

/**
 * Chooses at most three places: after the system prompt (or the tools), after the newest message, and after the user message before it.
 *
 * The second to last is where the request before this one had its last marker: what was written then is found again even if more
 * than 20 blocks, as far as the service looks back, have come since.
 */
export function placeMarkers(request: ModelRequest, marker: string | null): MarkedParts {
  if (marker === null) return { tool: null, system: null, messages: new Set() }
  const lastSystem = request.system.at(-1)
  const system = lastSystem === undefined || lastSystem.text === '' ? null : lastSystem
  const tool = system === null ? (request.tools.at(-1) ?? null) : null
  return { tool, system, messages: lastMessages(request.messages) }
}

function lastMessages(messages: readonly Message[]): ReadonlySet<Message> {
  const newest = messages.findLastIndex(canCarry)
  if (newest === -1) return new Set()
  const before = messages.findLastIndex(
    (message, index) => index < newest && message.role === 'user' && canCarry(message),
  )
  return new Set([messages[newest], messages[before]].filter((message) => message !== undefined))
}

const carriers: ReadonlySet<string> = new Set(['text', 'tool_use', 'tool_result', 'image', 'document'])

// The service refuses markers on thoughts and on empty text.
function canCarry({ content }: Message): boolean {
  if (typeof content === 'string') return content !== ''
  const last = content.at(-1)
  if (last === undefined || 'cache_control' in last) return false
  return carriers.has(last.type) && !(last.type === 'text' && last.text === '')
}
