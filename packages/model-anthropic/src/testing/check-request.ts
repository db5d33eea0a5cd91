import type { JsonObject } from '@x/contract'
import { isJsonObject } from '../json-object.ts'
import { checkMessages } from './check-messages.ts'
import { checkTools } from './check-tools.ts'

/** Says what the service would refuse in a request body, in the service's kind of words; null when nothing. */
export function checkRequest(body: unknown): string | null {
  if (!isJsonObject(body)) return 'The request body must be a JSON object'
  return (
    checkTexts(body, 'body') ??
    checkFields(body) ??
    checkTools(body['tools']) ??
    checkSystem(body['system']) ??
    checkMessages(body['messages']) ??
    checkCacheControl(body)
  )
}

function checkFields(body: JsonObject): string | null {
  const { model, max_tokens: maxTokens } = body
  if (typeof model !== 'string' || model === '') return 'model: Field required'
  if (maxTokens === undefined) return 'max_tokens: Field required'
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens) || maxTokens < 1) {
    return 'max_tokens: Input should be greater than or equal to 1'
  }
  const removed = ['temperature', 'top_p', 'top_k'].find((name) => name in body)
  if (removed !== undefined) return `${removed}: Extra inputs are not permitted`
  return checkThinking(body['thinking'], maxTokens)
}

function checkThinking(thinking: unknown, maxTokens: number): string | null {
  const budget = isJsonObject(thinking) ? thinking['budget_tokens'] : undefined
  if (typeof budget !== 'number') return null
  if (budget < 1024) return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024'
  return budget < maxTokens ? null : '`max_tokens` must be greater than `thinking.budget_tokens`'
}

function checkSystem(system: unknown): string | null {
  if (system === undefined || typeof system === 'string') return null
  if (!Array.isArray(system)) return 'system: Input should be a valid list'
  const empty = system.findIndex((block) => !isJsonObject(block) || block['text'] === '')
  return empty === -1 ? null : `system.${empty}: text content blocks must be non-empty`
}

function checkCacheControl(body: unknown): string | null {
  const count = countMarkers(body)
  return count > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${count}.` : null
}

function countMarkers(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countMarkers(item), 0)
  if (!isJsonObject(value)) return 0
  const own = isJsonObject(value['cache_control']) ? 1 : 0
  return own + countMarkers(Object.values(value))
}

function checkTexts(value: unknown, place: string): string | null {
  if (typeof value === 'string') {
    return value.isWellFormed() ? null : `${place}: str is not valid UTF-8: surrogates not allowed`
  }
  if (typeof value !== 'object' || value === null) return null
  for (const [key, item] of Object.entries(value)) {
    const fault = checkTexts(item, `${place}.${key}`)
    if (fault !== null) return fault
  }
  return null
}
