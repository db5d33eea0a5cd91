import { defineTool, type Tool, type ToolResultBlock } from '@x/contract'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'

const inputSchema = z.strictObject({ path: z.string(), limit: z.number().default(10) })

const head = {
  name: 'Count',
  description: 'Counts the lines of a file.',
  inputSchema,
} as const

const toResult = (output: number, toolUseId: string): ToolResultBlock => ({
  type: 'tool_result',
  tool_use_id: toolUseId,
  content: String(output),
})

test('input comes from the schema, parsed; output from call', () => {
  const tool = defineTool({
    ...head,
    isReadOnly: (input) => {
      expectTypeOf(input).toEqualTypeOf<{ path: string; limit: number }>()
      return true
    },
    async call(args) {
      expectTypeOf(args).toEqualTypeOf<{ path: string; limit: number }>()
      return { data: { lines: args.limit } }
    },
    mapResult(output, toolUseId) {
      expectTypeOf(output).toEqualTypeOf<{ lines: number }>()
      return { type: 'tool_result', tool_use_id: toolUseId, content: String(output.lines) }
    },
  })
  expectTypeOf(tool).toExtend<Tool<typeof inputSchema, { lines: number }>>()
})

test('every declaration of a defined tool is in place', () => {
  const tool = defineTool({ ...head, call: async () => ({ data: 1 }), mapResult: toResult })
  expectTypeOf(tool.isReadOnly({ path: 'a', limit: 1 })).toEqualTypeOf<boolean>()
  expectTypeOf(tool.interruptBehavior()).toEqualTypeOf<'cancel' | 'block'>()
  expectTypeOf(tool.maxResultSizeChars).toEqualTypeOf<number>()
})

test('progress is what the tool says it is', () => {
  const tool: Tool<typeof inputSchema, number, { readonly done: number }> = {
    ...head,
    async call(...[, , , , onProgress]) {
      onProgress({ done: 1 })
      // @ts-expect-error -- not the declared progress
      onProgress({ doen: 1 })
      return { data: 1 }
    },
    mapResult: toResult,
  }
  expectTypeOf(defineTool(tool)).toExtend<Tool<typeof inputSchema, number, { readonly done: number }>>()
})

test('tools of any input and output make one list', () => {
  const count = defineTool({ ...head, call: async () => ({ data: 1 }), mapResult: toResult })
  const plain: Tool<typeof inputSchema, number> = {
    ...head,
    call: async () => ({ data: 1 }),
    mapResult: toResult,
  }
  expectTypeOf(count).toExtend<Tool>()
  expectTypeOf([count, plain]).toExtend<readonly Tool[]>()
})

test('wrong use does not compile', () => {
  // @ts-expect-error -- no description
  defineTool({ name: 'A', inputSchema, call: async () => ({ data: 1 }), mapResult: toResult })
  // @ts-expect-error -- no call
  defineTool({ ...head, mapResult: toResult })
  defineTool({
    ...head,
    // @ts-expect-error -- the result must be data, not the bare value
    call: async () => 1,
    mapResult: (_output: unknown, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId }),
  })
  defineTool({
    ...head,
    call: async () => ({ data: 'text' }),
    // @ts-expect-error -- maps a number where call gives a text
    mapResult: toResult,
  })
  defineTool({
    ...head,
    // @ts-expect-error -- a declaration answers at once
    isReadOnly: async () => true,
    call: async () => ({ data: 1 }),
    mapResult: toResult,
  })
  defineTool({
    ...head,
    // @ts-expect-error -- no such field in the input
    isReadOnly: (input) => input.file === '',
    call: async () => ({ data: 1 }),
    mapResult: toResult,
  })
  defineTool({
    ...head,
    call: async () => ({ data: 1 }),
    // @ts-expect-error -- a result needs the id of its call
    mapResult: () => ({ type: 'tool_result', content: '' }),
  })
})
