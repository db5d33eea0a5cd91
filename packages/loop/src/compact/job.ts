import type { Message } from '@x/contract'
import type { CompactorOptions, CompactTrigger } from './compactor-options.ts'
import { estimatePrefix, estimateTokens } from './estimate-tokens.ts'
import type { CompactOptions } from './port.ts'

/** One compaction at work. */
export interface Job extends CompactorOptions {
  readonly request: CompactOptions
  readonly trigger: CompactTrigger
  /** The history that is too long. */
  readonly old: readonly Message[]
  /** Tokens of the context now. */
  readonly preTokens: number
  /** Tokens of context that make it too long. */
  readonly limitTokens: number
  readonly keepTurns: number
  readonly place: { readonly parent_tool_use_id: string | null }
}

/** The part of the window that may be full before the history is made shorter. */
export const defaultThreshold = 0.9

/** Gathers what one compaction has to know. */
export function openJob(options: CompactorOptions, old: readonly Message[], request: CompactOptions): Job {
  const { reason, limitTokens, parentToolUseId = null } = request
  const window = options.model.contextWindow(request.modelName)
  const isOver = reason === 'prompt-too-long' || reason === 'cut-off'
  const preTokens = Math.max(countContext(old, request), isOver ? window : 0)
  return {
    ...options,
    request,
    old,
    preTokens,
    trigger: reason === 'manual' ? 'manual' : 'auto',
    limitTokens: limitTokens ?? (window > 0 ? window * defaultThreshold : preTokens),
    keepTurns: options.keepTurns ?? 3,
    place: { parent_tool_use_id: parentToolUseId },
  }
}

function countContext(
  old: readonly Message[],
  { contextTokens, system = [], tools = [] }: CompactOptions,
): number {
  return contextTokens ?? estimatePrefix(system, tools) + estimateTokens(old)
}
