import { hookEvents, isHookEventName } from '@x/hooks'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAnswer } from '../src/hook-answer.ts'
import { parseStdout } from '../src/parse-stdout.ts'

const isAnswer = (value: object): boolean => 'decision' in value

test('one JSON object is read whole, however it is laid out', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2), (value, space) => {
      const text = JSON.stringify(value, null, space)
      expect(parseStdout(`\n${text}\n \n`, isAnswer)).toEqual({ kind: 'json', value: JSON.parse(text) })
    }),
  )
})

test('any text is put into a class, and only an object that stands first is an answer', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constant('{"decision":"block"}'),
    fc.constant('{"a":1}'),
    fc.constantFrom('{', '}', '{}', '[]', '{bad}'),
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const text = lines.join('\n')
      const parsed = parseStdout(text, isAnswer)
      if (parsed.kind === 'json') expect(text.trimStart().startsWith('{')).toBe(true)
      if (parsed.kind === 'empty') expect(text.trim()).toBe('')
    }),
  )
})

test('no object makes the reading of an answer throw', () => {
  const names = Object.keys(hookEvents).filter(isHookEventName)
  const keys = [
    'decision',
    'reason',
    'continue',
    'hookSpecificOutput',
    'updatedInput',
    'permissionDecision',
    '__proto__',
  ]
  const value = fc.dictionary(
    fc.constantFrom(...keys),
    fc.oneof(fc.jsonValue(), fc.constantFrom('allow', 'deny', 'block')),
  )
  fc.assert(
    fc.property(fc.constantFrom(...names), value, (event, output) => {
      expect(typeof readAnswer(event, output).ok).toBe('boolean')
    }),
    { numRuns: 500 },
  )
})
