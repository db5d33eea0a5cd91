import { tmpdir } from 'node:os'
import { createToolUseContext } from '@x/contract'
import { createMcpConnections } from '@x/tools-mcp'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fakeServer, listed } from './fake-server.ts'
import { toolOf } from './helpers.ts'

async function toolWith(inputSchema: unknown) {
  await using connections = createMcpConnections(
    [fakeServer('s', { tools: [listed('t', { inputSchema })] })],
    { cwd: createToolUseContext({ cwd: tmpdir() }).cwd },
  )
  await connections.connect()
  return toolOf(connections, 'mcp__s__t')
}

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', pattern: '^/' },
    count: { type: 'integer', default: 5 },
    mode: { enum: ['r', 'w', null] },
    tags: { type: 'array', items: { type: 'string' } },
    nested: {
      type: 'object',
      properties: { on: { type: ['boolean', 'null'] } },
      required: ['on'],
      additionalProperties: false,
    },
  },
  required: ['path'],
}

test('the schema goes to the model as it is', async () => {
  expect((await toolWith(schema)).inputJsonSchema).toEqual(schema)
  expect((await toolWith(undefined)).inputJsonSchema).toEqual({ type: 'object', properties: {} })
  expect((await toolWith({})).inputJsonSchema).toEqual({ type: 'object' })
})

test.each([
  [
    'anyOf',
    {
      anyOf: [
        { properties: { a: { type: 'string' } }, required: ['a', 'c'] },
        { properties: { b: {} }, required: ['c'] },
      ],
    },
    { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['c'] },
  ],
  [
    'allOf',
    {
      type: 'object',
      allOf: [{ properties: { a: {} }, required: ['a'] }, { properties: { b: {} } }],
      additionalProperties: false,
    },
    { type: 'object', properties: { a: {}, b: {} }, required: ['a'] },
  ],
  [
    '$ref',
    { $ref: '#/$defs/In', $defs: { In: { type: 'object', properties: { a: {} }, required: ['a'] } } },
    {
      type: 'object',
      $defs: { In: { type: 'object', properties: { a: {} }, required: ['a'] } },
      properties: { a: {} },
      required: ['a'],
    },
  ],
])('a root with %s is flattened to an object', async (_, given, flat) => {
  expect((await toolWith(given)).inputJsonSchema).toEqual(flat)
})

test.each([
  ['a missing parameter', {}, [['path'], 'invalid_type']],
  ['a wrong type', { path: 1 }, [['path'], 'invalid_type']],
  [
    'a text for a number, which the executor may turn',
    { path: '/', count: '5' },
    [['count'], 'invalid_type'],
  ],
  ['a broken number', { path: '/', count: 1.5 }, [['count'], 'invalid_type']],
  ['a value that is not listed', { path: '/', mode: 'x' }, [['mode'], 'invalid_value']],
  ['a wrong item', { path: '/', tags: ['a', 2] }, [['tags', 1], 'invalid_type']],
  ['a key that is ruled out', { path: '/', nested: { on: null, off: 1 } }, [['nested'], 'unrecognized_keys']],
])('%s is told at its place', async (_, input, [path, code]) => {
  const { inputSchema } = await toolWith(schema)
  expect(inputSchema.safeParse(input).error?.issues).toMatchObject([{ path, code }])
})

test.each([
  ['a further key', { path: '/', further: { __proto__x: 1 } }],
  ['no default', { path: '/' }],
  ['what only the server can judge (a pattern)', { path: 'no slash' }],
  ['null where it is listed', { path: '/', mode: null }],
])('an input with %s goes through unchanged', async (_, input) => {
  const { inputSchema } = await toolWith(schema)
  expect(inputSchema.parse(input)).toBe(input)
})

test('no input is an object but an object', async () => {
  const { inputSchema } = await toolWith(schema)
  for (const input of [null, undefined, 'x', 5, []]) expect(inputSchema.safeParse(input).success).toBe(false)
})

test('checking never throws, and never changes an input', async () => {
  const { inputSchema } = await toolWith(schema)
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
      const before = JSON.stringify(input)
      const { success, data } = inputSchema.safeParse(input)
      if (success) expect(data).toBe(input)
      expect(JSON.stringify(input)).toBe(before)
    }),
  )
})
