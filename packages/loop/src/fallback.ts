import type { ModelErrorCode } from '@x/contract'
import type { QueryOptions } from './types.ts'

/** Lists the models a turn may ask: the main one, then at most three fallbacks, each once. */
export function normalizeModels(
  options: Pick<QueryOptions, 'modelName' | 'fallbackModels'>,
): readonly string[] {
  return [...new Set([options.modelName, ...(options.fallbackModels ?? [])])].slice(0, 1 + maxFallbacks)
}

/** Tells whether another model may do better; not where the account, the request or the line is at fault. */
export function canFallBack(code: ModelErrorCode): boolean {
  return code === 'overloaded' || code === 'server_error' || code === 'model_not_found'
}

const maxFallbacks = 3
