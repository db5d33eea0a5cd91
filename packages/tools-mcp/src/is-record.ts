import type { JsonObject } from '@x/contract'

/** Whether a value is an object that is neither null nor a list. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is such an object, else an empty one. */
export function toRecord(value: unknown): JsonObject {
  return isRecord(value) ? value : {}
}
