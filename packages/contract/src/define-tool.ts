import type { z } from 'zod'
import type { InterruptBehavior, Tool } from './tool.ts'

/** A longer result goes to disk, unless the tool says otherwise. In characters. */
export const DEFAULT_MAX_RESULT_SIZE_CHARS = 100_000

/** Checks a tool and fills in the closed default of every declaration that it leaves out. */
export function defineTool<Schema extends z.ZodType, Output, Progress = never>(
  tool: Tool<Schema, Output, Progress>,
): Tool<Schema, Output, Progress> {
  return tool
}

/** What a tool declares for one parsed input, every closed default applied. */
export interface CallDeclarations {
  readonly isConcurrencySafe: boolean
  readonly isReadOnly: boolean
  readonly isDestructive: boolean
  readonly failureCancelsSiblings: boolean
  readonly interruptBehavior: InterruptBehavior
}

/** Asks a tool for its declarations; one that is missing or throws counts as its closed value. `input` must be parsed. */
export function declareCall(tool: Tool, input: unknown): CallDeclarations {
  throw new Error(`in work: ${tool.name} ${String(input)}`)
}
