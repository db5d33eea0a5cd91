const MAX_DEPTH = 500

/** Copies plain arrays and objects all the way down; whatever else is in there (dates, maps) is shared. */
export function copyData<Value>(value: Value): Value {
  // The copy has the shape of the original.
  return copy(value, 0) as Value
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((item: unknown) => copy(item, depth + 1))
  return isPlain(value) ? copyFields(value, depth + 1) : value
}

function copyFields(value: object, depth: number): object {
  const result: Record<string, unknown> = { ...value }
  for (const key in result) {
    // An own `__proto__` came along with the spread; an assignment would set the prototype.
    if (key !== '__proto__') result[key] = copy(result[key], depth)
  }
  return result
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
