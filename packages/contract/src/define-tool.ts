import type { z } from 'zod'
import { assertTool } from './assert-tool.ts'
import type { InterruptBehavior, Tool, ToolDeclarations } from './tool.ts'
import { withoutUndefined } from './without-undefined.ts'

/** A longer result goes to disk, unless the tool says otherwise. In characters. */
export const DEFAULT_MAX_RESULT_SIZE_CHARS = 100_000

/** A tool with every declaration in place. */
export type DefinedTool<Schema extends z.ZodType, Output, Progress> = Tool<Schema, Output, Progress> &
  Required<ToolDeclarations<z.output<Schema>>>

/**
 * Checks a tool and gives back a copy with the closed default of every declaration that it leaves out.
 *
 * Takes a plain object: a class implements `Tool` itself. Write `call` before `mapResult`, the output type is inferred in that order.
 *
 * @throws TypeError if a part is missing or has the wrong type; the message names it.
 *
 * @example
 * const echo = defineTool({
 *   name: 'Echo',
 *   description: 'Says the text again.',
 *   inputSchema: z.strictObject({ text: z.string() }),
 *   call: async ({ text }) => ({ data: text }),
 *   mapResult: (output, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId, content: output }),
 * })
 * echo.isReadOnly({ text: 'hi' }) // false
 */
export function defineTool<Schema extends z.ZodType, Output, Progress = never>(
  tool: Tool<Schema, Output, Progress>,
): DefinedTool<Schema, Output, Progress> {
  assertTool(tool)
  // A tool of undecided type parameters stays the tool it is: only keys whose value was undefined are gone.
  const given = withoutUndefined(tool) as typeof tool
  return { ...closedDeclarations, ...given }
}

/** What a tool declares for one parsed input, every closed default applied. */
export interface CallDeclarations {
  /** May run beside other calls that say so. */
  readonly isConcurrencySafe: boolean
  /** Changes nothing. */
  readonly isReadOnly: boolean
  /** Deletes or overwrites. */
  readonly isDestructive: boolean
  /** A failure of the call makes its parallel siblings pointless. */
  readonly failureCancelsSiblings: boolean
  /** What happens to the call when the user sends a message that should be heard now. */
  readonly interruptBehavior: InterruptBehavior
}

/**
 * Asks a tool for its declarations; one that is missing, throws, or says anything but `true` counts as its closed value.
 *
 * `input` must be parsed. Never throws.
 */
export function declareCall(tool: Tool, input: unknown): CallDeclarations {
  return {
    isConcurrencySafe: saysTrue(() => tool.isConcurrencySafe?.(input)),
    isReadOnly: saysTrue(() => tool.isReadOnly?.(input)),
    isDestructive: saysTrue(() => tool.isDestructive?.(input)),
    failureCancelsSiblings: saysTrue(() => tool.failureCancelsSiblings?.(input)),
    interruptBehavior: saysCancel(tool) ? 'cancel' : 'block',
  }
}

function saysTrue(ask: () => boolean | undefined): boolean {
  try {
    return ask() === true
  } catch {
    return false
  }
}

function saysCancel(tool: Tool): boolean {
  return saysTrue(() => tool.interruptBehavior?.() === 'cancel')
}

const closedDeclarations: Required<ToolDeclarations<unknown>> = {
  isConcurrencySafe: () => false,
  isReadOnly: () => false,
  isDestructive: () => false,
  failureCancelsSiblings: () => false,
  interruptBehavior: () => 'block',
  shouldDefer: false,
  alwaysLoad: false,
  requiresUserInteraction: false,
  maxResultSizeChars: DEFAULT_MAX_RESULT_SIZE_CHARS,
}
