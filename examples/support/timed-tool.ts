import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool, type Tool } from '@x/contract'
import { z } from 'zod'

const inputSchema = z.strictObject({
  name: z.string(),
  ms: z.number(),
  fails: z.boolean().default(false),
})

/** What a timed tool says about its calls. */
export interface TimedToolOptions {
  readonly isSafe?: boolean
  readonly failureCancelsSiblings?: boolean
}

/** A tool that takes the time it is told to, and fails if it is told to. It stops at once when its call is cancelled. */
export function createTimedTool(name: string, options: TimedToolOptions = {}): Tool {
  const { isSafe = false, failureCancelsSiblings = false } = options
  return defineTool({
    name,
    description: 'Takes its time.',
    inputSchema,
    isConcurrencySafe: () => isSafe,
    isReadOnly: () => isSafe && !failureCancelsSiblings,
    failureCancelsSiblings: () => failureCancelsSiblings,
    async call(input, context) {
      await sleep(input.ms, undefined, { signal: context.abortController.signal })
      if (input.fails) throw new Error(`${input.name} failed`)
      return { data: `${input.name} done` }
    },
    mapResult: (output, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId, content: output }),
  })
}
