import assert from 'node:assert/strict'
import { isContinuation, type Message } from '@x/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { assistant, text, user } from './history-builders.ts'
import { brokenHistory, validHistory } from './random-history.ts'

test('every history goes on from each of its beginnings, also from a copy of it', () => {
  fc.assert(
    fc.property(fc.oneof(brokenHistory, validHistory), fc.nat({ max: 12 }), (history, end) => {
      const start = history.slice(0, end)
      const copy = JSON.parse(JSON.stringify(start)) as readonly Message[]
      assert.ok(isContinuation(start, history))
      assert.ok(isContinuation(copy, history))
      assert.equal(isContinuation(history, start), start.length === history.length)
    }),
    { numRuns: 1_000 },
  )
})

test('any single change of what was sent is seen', () => {
  fc.assert(
    fc.property(validHistory, fc.nat(), (history, pick) => {
      const copy = JSON.parse(JSON.stringify(history)) as readonly Message[]
      changeOneString(copy, pick)
      assert.ok(!isContinuation(copy, history))
      assert.ok(!isContinuation(history, copy))
    }),
    { numRuns: 1_000 },
  )
})

const thought = { type: 'thinking', thinking: 'hm', signature: 's' }

test.each([
  ['a thought', assistant(thought), assistant({ ...thought, signature: 't' })],
  ['the order of keys', assistant(thought), assistant({ signature: 's', type: 'thinking', thinking: 'hm' })],
  ['a block more', user(text('a')), user(text('a'), text('b'))],
  ['a field more', user(text('a')), user({ ...text('a'), citations: null })],
  ['text as a block', { role: 'user', content: 'a' } as const, user(text('a'))],
  ['a list for an object', assistant({ type: 'x', y: [] }), assistant({ type: 'x', y: {} })],
  ['the role', user(text('a')), assistant(text('a'))],
])('%s is a difference', (_what, one, other) => {
  expect(isContinuation([one], [other])).toBe(false)
  expect(isContinuation([other], [one])).toBe(false)
})

test('what is not sent is no difference', () => {
  const block = { type: 'tool_use' as const, id: 'a', name: 'Read', input: {} }
  const stored: Message = { role: 'assistant', id: 'm1', content: [block] }
  const bare: Message = { role: 'assistant', content: [{ ...block, input: { gone: undefined } }] }
  expect(isContinuation([stored], [bare])).toBe(true)
})

test('nesting deeper than the stack is compared', () => {
  const deep = `{"role":"user","content":${'['.repeat(50_000)}1${']'.repeat(50_000)}}`
  const read = (json: string): Message => JSON.parse(json)
  expect(isContinuation([read(deep)], [read(deep)])).toBe(true)
  expect(isContinuation([read(deep)], [read(deep.replace('1', '2'))])).toBe(false)
})

function changeOneString(history: readonly Message[], pick: number): void {
  const places: [Record<string, unknown>, string][] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, item] of Object.entries(value)) {
      if (typeof item === 'string') places.push([value as Record<string, unknown>, key])
      else visit(item)
    }
  }
  visit(history)
  const [owner, key] = places[pick % places.length]!
  Object.defineProperty(owner, key, { value: `${String(owner[key])}!` })
}
