// Deeper data than this is cut: it would overflow the stack of whoever writes it as JSON.
const maxDepth = 500

const tooDeep = '[nested too deeply]'

/**
 * Replaces every lone surrogate in JSON data, keys included, by U+FFFD. The service refuses a request with half a character.
 *
 * Whatever needs no change comes back as the same object, so comparing by identity tells whether there was a fault.
 */
export function toWellFormed(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return tooDeep
  return Array.isArray(value) ? fixItems(value, depth + 1) : fixEntries(value, depth + 1)
}

function fixItems(items: readonly unknown[], depth: number): readonly unknown[] {
  const fixed = items.map((item) => toWellFormed(item, depth))
  return fixed.every((item, index) => Object.is(item, items[index])) ? items : fixed
}

function fixEntries(value: object, depth: number): object {
  let isChanged = false
  const fixed = Object.entries(value).map(([key, item]): [string, unknown] => {
    const entry: [string, unknown] = [key.toWellFormed(), toWellFormed(item, depth)]
    if (entry[0] !== key || !Object.is(entry[1], item)) isChanged = true
    return entry
  })
  // fromEntries defines own properties, so a key named `__proto__` stays plain data.
  return isChanged ? Object.fromEntries(fixed) : value
}
