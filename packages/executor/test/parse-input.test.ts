import { expect, test } from 'vitest'
import { z } from 'zod'
import { makeTool, stage, textOf, use } from './harness.ts'

const inputSchema = z.strictObject({
  path: z.string(),
  limit: z.number().optional(),
  count: z.int().optional(),
  deep: z.boolean().optional(),
  list: z.array(z.object({ n: z.number() })).optional(),
  mode: z.enum(['a', 'b']).optional(),
  either: z.union([z.number(), z.boolean()]).optional(),
})

async function run(
  input: unknown,
  parts: Parameters<typeof stage>[1] = {},
  inputError?: string,
): Promise<{ text: string; args: unknown }> {
  let args: unknown
  const { executor, play } = stage(
    () => [
      makeTool('Read', {
        inputSchema,
        call: (given) => {
          args = given
          return { data: 'fine' }
        },
      }),
    ],
    parts,
  )
  const block = use('Read', input)
  executor.addTool(
    block,
    { role: 'assistant', content: [block] },
    inputError === undefined ? {} : { inputError },
  )
  const [answer] = await play()
  return { text: textOf(answer), args }
}

const heading = 'InputValidationError: Read failed due to the following issue(s):'

test.each([
  [{}, 'The required parameter `path` is missing'],
  [{ path: 'a', extra: 1 }, 'An unexpected parameter `extra` was provided'],
  [{ path: 5 }, 'The parameter `path` type is expected as `string` but provided as `number`'],
  [
    { path: 'a', limit: 'many' },
    'The parameter `limit` type is expected as `number` but provided as `string`',
  ],
  [{ path: null }, 'The parameter `path` type is expected as `string` but provided as `null`'],
  [{ path: ['a'] }, 'The parameter `path` type is expected as `string` but provided as `array`'],
  [
    { path: 'a', list: [{ n: true }] },
    'The parameter `list[0].n` type is expected as `number` but provided as `boolean`',
  ],
  [
    { path: 'a', either: 'x' },
    'The parameter `either` type is expected as `number | boolean` but provided as `string`',
  ],
  [{ path: 'a', mode: 'c' }, 'The parameter `mode` is not valid: Invalid option: expected one of "a"|"b"'],
  ['text', 'The input type is expected as `object` but provided as `string`'],
  [null, 'The input type is expected as `object` but provided as `null`'],
])('%j is refused: %s', async (input, line) => {
  const { text, args } = await run(input)
  expect(text).toBe(`<tool_use_error>${heading}\n${line}</tool_use_error>`)
  expect(args).toBe(undefined)
})

test('every complaint has its line, and a flood of them is cut', async () => {
  const { text } = await run({ limit: 'x', a: 1, b: 2 })
  expect(text.split('\n').slice(1)).toEqual([
    'The required parameter `path` is missing',
    'The parameter `limit` type is expected as `number` but provided as `string`',
    'An unexpected parameter `a` was provided',
    'An unexpected parameter `b` was provided</tool_use_error>',
  ])
  const flood = await run(
    Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, '😀'.repeat(500)])),
  )
  expect(flood.text.length).toBeLessThan(8_000)
  expect(flood.text.isWellFormed()).toBe(true)
})

test.each([
  [
    { limit: '5', count: '-3', deep: 'true' },
    { limit: 5, count: -3, deep: true },
  ],
  [
    { deep: 'false', limit: '2.5e3' },
    { deep: false, limit: 2_500 },
  ],
  [{ list: [{ n: 1 }, { n: '2' }] }, { list: [{ n: 1 }, { n: 2 }] }],
  [{ either: 'true' }, { either: true }],
  [{ either: '7' }, { either: 7 }],
])('a string that spells what the schema wants is taken for it: %j', async (given, args) => {
  expect(await run({ path: '5', ...given })).toEqual({ text: 'fine', args: { path: '5', ...args } })
})

test.each(['', ' ', 'TRUE', '0x10', 'Infinity', '5 apples', '1_000'])(
  '%j is no number and no boolean',
  async (value) => {
    expect((await run({ path: 'a', limit: value })).text).toContain('provided as `string`')
    expect((await run({ path: 'a', deep: value })).text).toContain('provided as `string`')
  },
)

test('a string stays a string where one is wanted, and the input of the model is not touched', async () => {
  const input = { path: 'true', limit: '1' }
  expect((await run(input)).args).toEqual({ path: 'true', limit: 1 })
  expect(input).toEqual({ path: 'true', limit: '1' })
})

test('a tool whose schema the model has not seen says so with the error, and only then', async () => {
  const isSchemaMissing = (name: string): boolean => name === 'Read'
  expect((await run({}, { isSchemaMissing })).text).toMatch(
    /Load it with ToolSearch first, then call the tool again\.<\/tool_use_error>$/,
  )
  expect((await run({ path: 'a' }, { isSchemaMissing })).text).toBe('fine')
  const hostile = (): boolean => {
    throw new Error('x')
  }
  expect((await run({}, { isSchemaMissing: hostile })).text).not.toContain('ToolSearch')
})

test('an input that was no JSON never runs and says why', async () => {
  const { text, args } = await run({ path: 'a' }, {}, 'Unterminated string at 12')
  expect(text).toBe(
    `<tool_use_error>${heading}\nThe input is not valid JSON: Unterminated string at 12</tool_use_error>`,
  )
  expect(args).toBe(undefined)
})

test('an own __proto__ in the input is refused and pollutes nothing', async () => {
  const { text } = await run(JSON.parse('{"path":"a","limit":"3","__proto__":{"polluted":true}}'))
  expect(text === 'fine' || text.includes('__proto__')).toBe(true)
  expect(Reflect.get({}, 'polluted')).toBe(undefined)
})

test('an input of a megabyte is checked like any other', async () => {
  const path = 'x'.repeat(1_000_000)
  expect((await run({ path, limit: '4' })).args).toEqual({ path, limit: 4 })
})

test('a schema that throws is an input error, not a crash', async () => {
  const { executor, play } = stage(() => [
    makeTool('Odd', {
      inputSchema: z.unknown().transform(() => {
        throw new Error('odd schema')
      }),
    }),
  ])
  executor.addTool(use('Odd'), { role: 'assistant', content: [] })
  expect(textOf((await play())[0])).toContain('The input could not be checked: odd schema')
})
