import { type InputIssue, valueAt, wantedTypes } from './input-issue.ts'

/**
 * Copies an input with every string that spells a number or boolean turned into one, but only where the schema complained.
 *
 * Gives `undefined` where nothing could be turned.
 */
export function coerceFailingPaths(
  input: unknown,
  issues: readonly InputIssue[],
): { readonly input: unknown } | undefined {
  let result: unknown = input
  let hasChanged = false
  for (const issue of issues) {
    const value = valueAt(result, issue.path)
    const coerced = typeof value === 'string' ? coerce(value, wantedTypes(issue)) : undefined
    if (coerced === undefined) continue
    result = replaceAt(result, issue.path, coerced)
    hasChanged = true
  }
  return hasChanged ? { input: result } : undefined
}

function coerce(text: string, wanted: readonly string[]): number | boolean | undefined {
  const isBoolean = text === 'true' || text === 'false'
  if (isBoolean && wanted.includes('boolean')) return text === 'true'
  const isNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)
  if (isNumber && (wanted.includes('number') || wanted.includes('int'))) return Number(text)
  return undefined
}

function replaceAt(container: unknown, path: readonly PropertyKey[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (typeof container !== 'object' || container === null) return container
  const copy: object = Array.isArray(container) ? [...container] : { ...container }
  // Defined, not assigned: a key such as `__proto__` is data here.
  Object.defineProperty(copy, key, {
    value: replaceAt(Reflect.get(copy, key), rest, value),
    configurable: true,
    enumerable: true,
    writable: true,
  })
  return copy
}
