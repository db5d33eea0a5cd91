import { expect, it } from 'vitest'
import { describeResult } from '../src/live/describe-result.ts'

const screen = { paint: (_tone: string, text: string) => text, width: 80 }

function shown(count: number): readonly string[] {
  const content = Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')
  return describeResult({ type: 'tool_result', tool_use_id: 't', content }, undefined, screen)
}

it.each([
  [6, 'line 1'],
  [7, '… 1 line above'],
  [9, '… 3 lines above'],
])('of %i lines of output the first thing shown is %j', (count, first) => {
  expect(shown(count)[0]).toBe(first)
  expect(shown(count).at(-1)).toBe(`line ${count}`)
})

it('of a long diff the rest is counted', () => {
  const diff = (count: number) => ({
    structuredPatch: [{ lines: Array.from({ length: count }, () => '+a') }],
  })
  const last = (count: number) =>
    describeResult({ type: 'tool_result', tool_use_id: 't' }, diff(count), screen).at(-1)
  expect([last(40), last(41), last(42)]).toEqual(['+a', '… 1 more line', '… 2 more lines'])
})
