import type { JsonObject } from '@x/contract'

/** Tells whether a value from a file is an object with fields: neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
