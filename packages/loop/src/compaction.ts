import type { ModelError } from '@x/contract'
import type { TurnOutcome } from './after-message.ts'
import { endings } from './ending.ts'
import type { QueryState } from './state.ts'
import type { CompactReason } from './types.ts'
import { untilAborted } from './until-aborted.ts'

/** The part of the window that may be full before the history is made shorter. */
const nearLimit = 0.9

/** Makes the history shorter where that is needed and somebody can do it. */
export async function compactIfNeeded(state: QueryState): Promise<void> {
  const { compact } = state.options
  const reason = state.compactReason ?? (isNearLimit(state) ? 'near-limit' : undefined)
  state.compactReason = undefined
  if (compact === undefined || reason === undefined || state.isCompacted) return
  await runCompact(state, compact, reason)
}

/** Tries a shorter history once after a request that was too long; any other failure ends the query. */
export function compactAfterFailure(state: QueryState, error: ModelError): TurnOutcome {
  const isTooLong = error.code === 'prompt_too_long' || error.code === 'request_too_large'
  if (!isTooLong) return endings.apiError(state, error)
  if (state.options.compact === undefined || state.isCompacted) return endings.promptTooLong(state, error)
  state.compactReason = 'prompt-too-long'
  return { type: 'continue' }
}

async function runCompact(
  state: QueryState,
  compact: NonNullable<QueryState['options']['compact']>,
  reason: CompactReason,
): Promise<void> {
  const { history, signal } = state
  const messages = await history.commit()
  const shorter = await untilAborted(signal, compact(messages, { reason, signal }))
  signal.throwIfAborted()
  if (shorter !== undefined) history.replace(shorter)
  state.isCompacted = true
  state.contextTokens = 0
}

function isNearLimit({ options, contextTokens, models }: QueryState): boolean {
  const window = options.model.contextWindow(models[0] ?? options.modelName)
  return window > 0 && contextTokens > window * nearLimit
}
