import type { Message } from './messages.ts'

/**
 * Tells whether `next` begins with `previous`: same roles and contents, byte by byte as JSON, thinking blocks included.
 *
 * Only what is sent counts: `role` and `content`. The order of keys counts, `'text'` and `[{ type: 'text' }]` differ.
 * Messages that are the same object are not looked into.
 */
export function isContinuation(previous: readonly Message[], next: readonly Message[]): boolean {
  if (previous.length > next.length) return false
  return previous.every((message, index) => isSameMessage(message, next[index]))
}

function isSameMessage(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!isObject(one) || !isObject(other)) return false
  return one['role'] === other['role'] && isSameJson(one['content'], other['content'])
}

// A list of pairs instead of recursion: data from a disk may be nested deeper than the stack.
function isSameJson(one: unknown, other: unknown): boolean {
  const pairs: [unknown, unknown][] = [[one, other]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair
    if (left === right || Object.is(left, right)) continue
    if (!isObject(left) || !isObject(right) || Array.isArray(left) !== Array.isArray(right)) return false
    const keys = sentKeys(left)
    const otherKeys = sentKeys(right)
    if (keys.length !== otherKeys.length) return false
    for (const [index, key] of keys.entries()) {
      if (key !== otherKeys[index]) return false
      pairs.push([left[key], right[key]])
    }
  }
  return true
}

// JSON leaves out a field that is undefined.
function sentKeys(value: Readonly<Record<string, unknown>>): readonly string[] {
  const keys = Object.keys(value)
  return Array.isArray(value) ? keys : keys.filter((key) => value[key] !== undefined)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
