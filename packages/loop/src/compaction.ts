import { declareCall, type ModelError, type SessionRecord, type ToolUseBlock } from '@x/contract'
import type { TurnOutcome } from './after-message.ts'
import { estimatePrefix, estimateTokens } from './compact/estimate-tokens.ts'
import { defaultThreshold } from './compact/job.ts'
import type { Compact, CompactOptions, CompactReason } from './compact/port.ts'
import { type CompactionEnd, runCompaction } from './compact/run-compaction.ts'
import { endings } from './ending.ts'
import type { QueryState } from './state.ts'
import type { QueryOptions } from './types.ts'

/** So many compactions in a row, each followed by one message that filled the window again, and it is of no use to go on. */
const maxRefills = 3
/** So many failures in a row, and nothing is tried any more before the service says that a request is too long. */
const maxFailures = 3

/** Makes the history shorter where that is needed and somebody can do it. Gives the end of the query where it cannot go on. */
export async function* compactIfNeeded(
  state: QueryState,
): AsyncGenerator<SessionRecord, TurnOutcome | undefined> {
  const { compact } = state.options
  const { tooLong } = state
  const reason = takeReason(state)
  if (compact === undefined || reason === undefined || state.isCompacted) return undefined
  if (isRefill(state) && state.refills >= maxRefills) return endings.rapidRefill(maxRefills)
  const end = yield* makeShorter(state, compact, reason)
  if (state.signal.aborted) return endings.aborted(state, 'streaming')
  return end.type === 'unchanged' && tooLong !== undefined ? endings.promptTooLong(state, tooLong) : undefined
}

/** Tries a shorter history once after a request that was too long; any other failure ends the query. */
export function compactAfterFailure(state: QueryState, error: ModelError): TurnOutcome {
  const isTooLong = error.code === 'prompt_too_long' || error.code === 'request_too_large'
  if (!isTooLong) return endings.apiError(state, error)
  if (state.options.compact === undefined || state.isCompacted) return endings.promptTooLong(state, error)
  state.tooLong = error
  return { type: 'continue' }
}

/**
 * Checks the threshold at the public edge.
 *
 * @throws RangeError if it is not greater than 0 and at most 1.
 */
export function assertThreshold({ compactThreshold = 1 }: Pick<QueryOptions, 'compactThreshold'>): void {
  if (compactThreshold > 0 && compactThreshold <= 1) return
  throw new RangeError(`compactThreshold must be greater than 0 and at most 1, but is ${compactThreshold}`)
}

function takeReason(state: QueryState): CompactReason | undefined {
  const { tooLong, compactReason } = state
  state.tooLong = undefined
  state.compactReason = undefined
  return tooLong === undefined ? (compactReason ?? nearLimit(state)) : 'prompt-too-long'
}

async function* makeShorter(
  state: QueryState,
  compact: Compact,
  reason: CompactReason,
): AsyncGenerator<SessionRecord, CompactionEnd> {
  const { history } = state
  const contextTokens = countContext(state)
  const messages = await history.commit()
  const end = yield* runCompaction(compact, messages, toOptions(state, reason, contextTokens))
  if (end.type === 'shorter') {
    history.replace(end.messages)
    state.refills = isRefill(state) ? state.refills + 1 : 1
    state.compactedAt = state.turns
    state.isCompacted = true
    yield* end.records
  }
  state.failedCompactions =
    end.type === 'unchanged' && end.cause === 'failed' ? state.failedCompactions + 1 : 0
  return end
}

function toOptions(state: QueryState, reason: CompactReason, contextTokens: number): CompactOptions {
  const { options, signal, meter, place, defineTools, tools } = state
  const { system, maxOutputTokens, effort } = options
  const limitTokens = limitOf(state)
  return {
    reason,
    signal,
    modelName: nextModel(state),
    tools: defineTools(tools),
    contextTokens,
    isRepeatable: (call) => isRepeatable(state, call),
    parentToolUseId: place.parent_tool_use_id,
    onUsage: (model, usage) => meter.add(model, usage),
    ...(limitTokens > 0 && { limitTokens }),
    ...(system !== undefined && { system }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(effort !== undefined && { effort }),
  }
}

/** A call that changes nothing may be made again; one that asks a person, or whose tool is gone, may not. */
function isRepeatable({ tools }: QueryState, { name, input }: ToolUseBlock): boolean {
  const tool = tools.find((each) => each.name === name || each.aliases?.includes(name) === true)
  if (tool === undefined || tool.requiresUserInteraction === true) return false
  const parsed = tool.inputSchema.safeParse(input)
  return parsed.success && declareCall(tool, parsed.data).isReadOnly
}

function nearLimit(state: QueryState): CompactReason | undefined {
  if (state.options.compact === undefined || state.failedCompactions >= maxFailures) return undefined
  const limit = limitOf(state)
  return limit > 0 && countContext(state) > limit ? 'near-limit' : undefined
}

function limitOf(state: QueryState): number {
  const { model, compactThreshold = defaultThreshold } = state.options
  return model.contextWindow(nextModel(state)) * compactThreshold
}

function nextModel({ models, nextModel: index, options }: QueryState): string {
  return models[index] ?? options.modelName
}

/**
 * Counts the tokens of the next request: what the service said of the last one and its answer, which is the last message of the
 * model, and an estimate of what came since. Before the first answer, and after a compaction, all of it is an estimate.
 */
function countContext({ history, contextTokens, options, defineTools, tools }: QueryState): number {
  const { messages } = history
  if (contextTokens === 0) {
    return estimatePrefix(options.system ?? [], defineTools(tools)) + estimateTokens(messages)
  }
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return contextTokens + estimateTokens(messages.slice(last + 1))
}

/** The window was full again after one message. */
function isRefill({ turns, compactedAt }: QueryState): boolean {
  return compactedAt !== undefined && turns - compactedAt <= 1
}
