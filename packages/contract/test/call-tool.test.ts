import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { callTool, createToolUseContext, defineTool } from '../src/index.ts'

const counter = { name: 'count', initial: () => 0 }
const context = createToolUseContext({ cwd: '/work' })

const step = defineTool({
  name: 'Step',
  description: 'Counts.',
  inputSchema: z.strictObject({ by: z.number().default(1) }),
  validateInput: async ({ by }) => (by > 9 ? { ok: false, message: 'too far' } : { ok: true }),
  async call({ by }, context, canUseTool) {
    const { cwd } = context
    context.setState(counter, (count) => count + by)
    const nested = await canUseTool(step, {})
    return {
      data: `${cwd} ${context.getState(counter)} ${nested.behavior}`,
      isError: by === 0,
      contextModifier: (before) => ({ ...before, cwd: '/elsewhere' }),
    }
  },
  mapResult: (output, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId, content: output }),
})

describe('callTool', () => {
  it('parses, calls and maps; state lasts, nested calls are denied, the context moves on', async () => {
    const first = await callTool(step, {}, context)
    const second = await callTool(step, { by: 2 }, first.context)
    expect(first.result).toEqual({ type: 'tool_result', tool_use_id: 'call_1', content: '/work 1 deny' })
    expect(second.data).toBe('/elsewhere 3 deny')
  })

  it('says in the result that a call reports a failure', async () => {
    expect((await callTool(step, { by: 0 }, context)).result.is_error).toBe(true)
  })

  it('rejects an input that does not fit, and one the tool refuses', async () => {
    // @ts-expect-error -- the schema wants a number
    await expect(callTool(step, { by: 'x' }, context)).rejects.toThrow(/does not fit Step: by: /)
    await expect(callTool(step, { by: 10 }, context)).rejects.toThrow('too far')
  })
})

describe('createToolUseContext', () => {
  it('fills in what is not given, and lets what is given win', () => {
    const controller = new AbortController()
    const own = createToolUseContext({
      cwd: '/a',
      abortController: controller,
      options: { projectDir: '/p' },
    })
    expect(own.options).toEqual({ tools: [], model: 'none', isNonInteractive: true, projectDir: '/p' })
    expect(own.abortController).toBe(controller)
  })
})
