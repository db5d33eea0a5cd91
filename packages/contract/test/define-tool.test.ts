import { declareCall, defineTool, type Tool } from '@x/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'

const parts = {
  name: 'Echo',
  description: 'Says the text again.',
  inputSchema: z.strictObject({ text: z.string() }),
  call: async ({ text }: { readonly text: string }) => ({ data: text }),
  mapResult: (output: string, toolUseId: string) =>
    ({ type: 'tool_result', tool_use_id: toolUseId, content: output }) as const,
}

const closed = {
  isConcurrencySafe: false,
  isReadOnly: false,
  isDestructive: false,
  failureCancelsSiblings: false,
  interruptBehavior: 'block',
}

test('a tool that declares nothing gets the closed defaults', () => {
  const tool = defineTool(parts)
  expect(declareCall(tool, { text: 'a' })).toEqual(closed)
  expect(tool.isConcurrencySafe({ text: 'a' })).toBe(false)
  expect(tool.interruptBehavior()).toBe('block')
  expect(tool).toMatchObject({
    shouldDefer: false,
    alwaysLoad: false,
    requiresUserInteraction: false,
    maxResultSizeChars: 100_000,
  })
})

test('what a tool declares stays, and its methods see the tool', () => {
  const tool = defineTool({
    ...parts,
    maxResultSizeChars: Infinity,
    shouldDefer: true,
    isReadOnly({ text }) {
      return text === this.name
    },
    interruptBehavior: () => 'cancel',
  })
  expect(tool).toMatchObject({ maxResultSizeChars: Infinity, shouldDefer: true })
  expect(declareCall(tool, { text: 'Echo' })).toEqual({
    ...closed,
    isReadOnly: true,
    interruptBehavior: 'cancel',
  })
  expect(declareCall(tool, { text: 'other' }).isReadOnly).toBe(false)
})

test('the given object stays as it was', () => {
  const tool = Object.freeze({ ...parts })
  expect(defineTool(tool)).not.toBe(tool)
  expect(Object.keys(tool)).toEqual(Object.keys(parts))
})

test('an option that is there but undefined gets its default', () => {
  const tool: object = { ...parts, maxResultSizeChars: undefined, isReadOnly: undefined }
  const defined = defineTool(tool as Tool)
  expect(defined.maxResultSizeChars).toBe(100_000)
  expect(defined.isReadOnly({})).toBe(false)
})

test('a declaration that throws, or answers anything but true, is closed', () => {
  const broken = {
    ...parts,
    isConcurrencySafe: () => {
      throw new Error('broken')
    },
    isReadOnly: () => 'yes',
    isDestructive: () => Promise.resolve(true),
    get failureCancelsSiblings() {
      throw new Error('broken')
    },
    interruptBehavior: () => 'abort',
  }
  expect(declareCall(broken as unknown as Tool, {})).toEqual(closed)
})

test('a tool that never went through defineTool is asked the same way', () => {
  expect(declareCall(parts as Tool, {})).toEqual(closed)
})

class Grep {
  readonly name = 'Grep'
}

test.each([
  [undefined, 'tool: expected a plain object, got nothing'],
  [null, 'tool: expected a plain object, got null'],
  [new Grep(), 'tool: expected a plain object, got an object of Grep'],
  [{ ...parts, name: undefined }, 'name: expected 1 to 128 letters, digits, "_" or "-", got nothing'],
  [{ ...parts, name: 'a b' }, 'name: expected 1 to 128 letters, digits, "_" or "-", got "a b"'],
  [{ ...parts, name: 'a'.repeat(129) }, `got "${'a'.repeat(129)}"`],
  [{ ...parts, description: ' ' }, 'description: expected a text that is not empty, got " "'],
  [{ ...parts, aliases: ['a', ''] }, 'aliases: expected a list of texts that are not empty, got a list'],
  [
    { ...parts, inputSchema: { type: 'object' } },
    'inputSchema: expected a zod schema, got an object of Object',
  ],
  [
    { ...parts, inputJsonSchema: { type: 'string' } },
    'inputJsonSchema: expected a JSON schema of type "object"',
  ],
  [{ ...parts, call: undefined }, 'call: expected a function, got nothing'],
  [{ ...parts, mapResult: 'text' }, 'mapResult: expected a function, got "text"'],
  [{ ...parts, isReadOnly: true }, 'isReadOnly: expected a function, got true'],
  [{ ...parts, validateInput: {} }, 'validateInput: expected a function, got an object of Object'],
  [{ ...parts, shouldDefer: 1 }, 'shouldDefer: expected true or false, got 1'],
  [
    { ...parts, maxResultSizeChars: 0 },
    'maxResultSizeChars: expected a number of characters above 0, or Infinity, got 0',
  ],
  [
    { ...parts, maxResultSizeChars: Number.NaN },
    'maxResultSizeChars: expected a number of characters above 0',
  ],
])('wrong use is told at once: %#', (tool, message) => {
  expect(() => defineTool(tool as Tool)).toThrow(TypeError)
  expect(() => defineTool(tool as Tool)).toThrow(message)
})
