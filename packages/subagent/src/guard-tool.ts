import type { Tool, ToolUseContext } from '@x/contract'
import { noMoreToolsText } from './texts.ts'

/** Says why a call must not run; undefined: it may. */
export type CheckCall = (
  tool: Tool,
  input: unknown,
  context: ToolUseContext,
) => string | undefined | Promise<string | undefined>

/**
 * A tool that asks before it runs, when its input is checked and once more with what it is called with at last: a hook may
 * have replaced the input in between. Otherwise it is the tool it was, to the byte of its definition.
 */
export function guardTool(tool: Tool, check: CheckCall): Tool {
  const guarded: Pick<Tool, 'call' | 'validateInput'> = {
    async validateInput(input, context) {
      const message = await check(tool, input, context)
      if (message !== undefined) return { ok: false, message }
      return (await tool.validateInput?.(input, context)) ?? { ok: true }
    },
    // oxlint-disable-next-line max-params -- the shape of Tool.call
    async call(args, context, canUseTool, parentMessage, onProgress) {
      const message = await check(tool, args, context)
      if (message !== undefined) throw new Error(message)
      return tool.call(args, context, canUseTool, parentMessage, onProgress)
    },
  }
  const proxy = new Proxy(tool, {
    get(target, key) {
      if (key === 'call' || key === 'validateInput') return guarded[key]
      const value: unknown = Reflect.get(target, key)
      // A tool may be an object of a class with private fields.
      return typeof value === 'function' ? value.bind(target) : value
    },
    has: (target, key) => key === 'validateInput' || Reflect.has(target, key),
  })
  originals.set(proxy, tool)
  return proxy
}

/** The tool behind the guards: an agent with a worktree of its own is not held in that of its parent. */
export function unguardTool(tool: Tool): Tool {
  const original = originals.get(tool)
  return original === undefined ? tool : unguardTool(original)
}

const originals = new WeakMap<Tool, Tool>()

/** The same tools, none of which runs: what the model is shown must not change in the last turn. */
export function refuseTools(tools: readonly Tool[]): readonly Tool[] {
  return tools.map((tool) => guardTool(tool, () => noMoreToolsText))
}
