import type { Message } from '@x/contract'
import * as fc from 'fast-check'
import { half } from './history-builders.ts'

// Few ids, so that they collide: with each other and with the ones that repair makes.
const id = fc.constantFrom('a', 'b', 'c', 'a_2', 'call_1', '', half)

const words = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('x', 'two words', '😀') },
  { weight: 1, arbitrary: fc.constantFrom('', ' \n', half, `a${half}`) },
)

const text = fc.record({ type: fc.constant('text'), text: words })

const thinking = fc.oneof(
  fc.record({ type: fc.constant('thinking'), thinking: words, signature: words }),
  fc.record({ type: fc.constant('redacted_thinking'), data: words }),
  fc.record({ type: fc.constant('server_tool_use'), id, input: fc.dictionary(words, words) }),
)

const call = fc.record({
  type: fc.constant('tool_use'),
  id,
  name: fc.constant('Read'),
  input: fc.oneof(fc.constant({}), fc.dictionary(words, fc.array(words, { maxLength: 2 }), { maxKeys: 2 })),
})

const result = fc.record(
  {
    type: fc.constant('tool_result'),
    tool_use_id: id,
    content: fc.oneof(words, fc.array(fc.oneof(text, thinking), { maxLength: 2 })),
    is_error: fc.boolean(),
  },
  { requiredKeys: ['type', 'tool_use_id'] },
)

const garbage = fc.oneof(
  fc.constantFrom(null, 5, 'bare', [], {}, { type: 7 }, { type: 'text' }, { type: 'text', text: null }),
  fc.constantFrom({ type: 'tool_use' }, { type: 'tool_use', id: 'a', name: 1, input: [] }),
  fc.constantFrom({ type: 'tool_result' }, { type: 'tool_result', tool_use_id: 'a', content: [null] }),
  fc.json().map((json): unknown => JSON.parse(json)),
)

const block = fc.oneof(
  { weight: 4, arbitrary: call },
  { weight: 4, arbitrary: result },
  { weight: 3, arbitrary: text },
  { weight: 2, arbitrary: thinking },
  { weight: 1, arbitrary: garbage },
)

const message = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record(
      {
        role: fc.constantFrom('user', 'assistant'),
        content: fc.oneof(
          { weight: 1, arbitrary: words },
          { weight: 5, arbitrary: fc.array(block, { maxLength: 5 }) },
        ),
        id: fc.constantFrom('m1', 'm2'),
      },
      { requiredKeys: ['role', 'content'] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.constantFrom(null, 5, {}, { role: 'system', content: 'x' }, { role: 'user' }),
      garbage,
    ),
  },
)

/** Histories as no program should have written them. */
export const brokenHistory: fc.Arbitrary<readonly Message[]> = fc
  .array(message, { maxLength: 8 })
  .map((history): readonly Message[] => JSON.parse(JSON.stringify(history)))

const goodText = fc.constantFrom('x', 'two words', '😀').map((value) => ({ type: 'text', text: value }))

/** Histories without a fault. */
export const validHistory: fc.Arbitrary<readonly Message[]> = fc
  .array(
    fc.record({
      start: fc.array(fc.oneof(goodText, thinking), { minLength: 1, maxLength: 3 }),
      calls: fc.nat({ max: 3 }),
      rest: fc.array(goodText, { minLength: 1, maxLength: 2 }),
    }),
    { maxLength: 6 },
  )
  .map((turns) => {
    const history: unknown[] = [{ role: 'user', content: 'Hi' }]
    for (const [turn, { start, calls, rest }] of turns.entries()) {
      const ids = Array.from({ length: calls }, (_, index) => `t${turn}_${index}`)
      const uses = ids.map((each) => ({ type: 'tool_use', id: each, name: 'Read', input: { each } }))
      const results = ids.map((each) => ({ type: 'tool_result', tool_use_id: each, content: each }))
      history.push({ role: 'assistant', content: [...start, ...uses] })
      history.push({ role: 'user', content: [...results, ...rest] })
    }
    return history as readonly Message[]
  })
