import type { JsonObject } from '@x/contract'

/** Tells a JSON object from null, arrays and plain values. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Gives a text as it is, and nothing for any other value. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
