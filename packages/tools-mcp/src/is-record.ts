import type { JsonObject } from '@x/contract'

/** Whether a value is an object that is neither null nor a list. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
