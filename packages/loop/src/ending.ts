import { abortReasonOf } from '@x/abort'
import type { DeferredToolUse, ModelError, ResultRecord, SessionRecord, TerminalReason } from '@x/contract'
import type { Attempt } from './attempt.ts'
import { apiErrorName, apiErrorRecord, syntheticRecord } from './records.ts'
import type { QueryState } from './state.ts'
import { brokenMessageText, describeError, interruptedForToolText, interruptedText } from './texts.ts'
import type { QueryEnd } from './types.ts'

/** How a query ends. */
export interface Ending {
  readonly reason: TerminalReason
  readonly subtype: ResultRecord['subtype']
  readonly isError: boolean
  /** The final text, for `success`. */
  readonly text?: string
  /** For the error subtypes. */
  readonly errors?: readonly string[]
  /** HTTP status of the failure behind it. */
  readonly status?: number | null
  /** The call that stays open; the reason is why the model stopped then, too. */
  readonly deferral?: DeferredToolUse
  /** What the model is told when the conversation goes on. */
  readonly note?: string
  /** Records before the result. */
  readonly records?: readonly SessionRecord[]
}

type End = { readonly type: 'end'; readonly ending: Ending }

/** All the ways a query ends. */
export const endings = {
  completed: ({ lastText }: QueryState): End => success('completed', lastText),

  aborted({ signal }: QueryState, where: 'streaming' | 'tools'): End {
    const kind = abortReasonOf(signal)?.kind
    const inTools = where === 'tools' || kind === 'permission-rejected'
    const text = inTools ? interruptedForToolText : interruptedText
    const errors = [describeError(signal.reason)]
    const note = kind === 'host-stopped' ? {} : { note: text }
    return failure({ reason: inTools ? 'aborted_tools' : 'aborted_streaming', errors, ...note })
  },

  hookStopped: (state: QueryState, reason: string): End =>
    success('hook_stopped', state.lastText === '' ? reason : state.lastText),

  stopHookPrevented: (state: QueryState, reason: string): End =>
    success('stop_hook_prevented', state.lastText === '' ? reason : state.lastText),

  deferred: ({ lastText }: QueryState, deferral: DeferredToolUse): End => ({
    type: 'end',
    ending: { ...success('tool_deferred', lastText).ending, deferral: toDeferral(deferral) },
  }),

  deferredUnavailable(deferral: DeferredToolUse): End {
    const text = `${deferral.name} was called and put off, and is not there any more. The call stays open; bring the tool back and go on.`
    const ending = { ...success('tool_deferred_unavailable', text).ending, isError: true }
    return { type: 'end', ending: { ...ending, deferral: toDeferral(deferral) } }
  },

  maxTurns({ options }: QueryState): End {
    const errors = [`Reached the limit of ${String(options.limits?.maxTurns)} turns with tools`]
    return failure({ reason: 'max_turns', subtype: 'error_max_turns', errors })
  },

  maxBudget({ options, total }: QueryState): End {
    const errors = [
      `Reached the budget of $${String(options.limits?.maxBudgetUsd)} (spent $${total.costUsd.toFixed(4)})`,
    ]
    return failure({ reason: 'budget_exhausted', subtype: 'error_max_budget_usd', errors })
  },

  maxTokens({ options }: QueryState): End {
    return failure({
      reason: 'budget_exhausted',
      errors: [`Reached the budget of ${String(options.limits?.maxTokens)} tokens`],
    })
  },

  rapidRefill(times: number): End {
    const errors = [
      `The context was full again right after each of ${times} compactions. Ask for smaller parts of files and outputs, or start anew.`,
    ]
    return failure({ reason: 'rapid_refill_breaker', errors })
  },

  promptTooLong: (state: QueryState, error: ModelError): End => apiFailure(state, 'prompt_too_long', error),

  apiError: (state: QueryState, error: ModelError): End => apiFailure(state, 'api_error', error),

  brokenMessage(state: QueryState, error: ModelError): End {
    const text = [state.lastText, brokenMessageText(error.code)].filter((part) => part !== '').join('\n\n')
    return {
      type: 'end',
      ending: { reason: 'api_error', subtype: 'success', isError: true, text, status: error.status },
    }
  },

  refused(state: QueryState, { refusal }: Pick<Attempt, 'refusal'>): End {
    const why = refusal ?? 'the model declined to answer'
    return modelFailure(state, `API Error: ${why}`, 'invalid_request')
  },

  outputLimit: (state: QueryState): End =>
    modelFailure(
      state,
      'API Error: the output limit cut the calls of several messages in a row',
      'max_output_tokens',
    ),

  pausedTooOften: (state: QueryState): End =>
    modelFailure(state, 'API Error: the model paused too often in a row', 'unknown'),

  failed: (error: unknown): End => failure({ reason: 'model_error', errors: [describeError(error)] }),
}

/** Ends the query: what is left is logged, the result comes last. */
export async function* endQuery(state: QueryState, ending: Ending): AsyncGenerator<SessionRecord, QueryEnd> {
  if (ending.note !== undefined) {
    state.history.addUser(ending.note)
    yield syntheticRecord(state, { role: 'user', content: [{ type: 'text', text: ending.note }] })
  }
  let last = ending
  try {
    await state.history.commit()
  } catch (error) {
    last = endings.failed(error).ending
  }
  yield* last.records ?? []
  yield resultRecord(state, last)
  state.isEnded = true
  return toQueryEnd(state, last)
}

function toQueryEnd(state: QueryState, { reason }: Ending): QueryEnd {
  const { history, meter, context, turns, contextTokens, settled } = state
  return {
    reason,
    messages: history.messages,
    added: history.added,
    context,
    usage: meter.usage,
    costUsd: meter.costUsd,
    turns,
    contextTokens,
    settled,
  }
}

function resultRecord(state: QueryState, ending: Ending): ResultRecord {
  const { meter, total, denials, turns, clock, startedAt, lastStopReason } = state
  return {
    type: 'result',
    subtype: ending.subtype,
    is_error: ending.isError,
    duration_ms: Math.round(clock.now() - startedAt),
    duration_api_ms: Math.round(meter.apiMs),
    num_turns: turns,
    ...(ending.text !== undefined && { result: ending.text }),
    ...(ending.errors !== undefined && { errors: ending.errors }),
    stop_reason: ending.deferral === undefined ? lastStopReason : ending.reason,
    terminal_reason: ending.reason,
    total_cost_usd: total.costUsd,
    usage: meter.usage,
    modelUsage: total.modelUsage,
    permission_denials: denials,
    ...(ending.status !== undefined && { api_error_status: ending.status }),
    ...(ending.deferral !== undefined && { deferred_tool_use: ending.deferral }),
  }
}

function success(reason: TerminalReason, text: string): End {
  return { type: 'end', ending: { reason, subtype: 'success', isError: false, text } }
}

function failure(ending: Pick<Ending, 'reason' | 'errors' | 'note'> & Partial<Ending>): End {
  return { type: 'end', ending: { subtype: 'error_during_execution', isError: true, ...ending } }
}

/** What a record tells of a call. */
function toDeferral({ id, name, input }: DeferredToolUse): DeferredToolUse {
  return { id, name, input }
}

/** A failure of the service is a `success` that says so: readers look at `is_error`. */
function apiFailure(state: QueryState, reason: TerminalReason, error: ModelError): End {
  const text = `API Error: ${error.message}`
  const records = [apiErrorRecord(state, text, apiErrorName(error))]
  return {
    type: 'end',
    ending: { reason, subtype: 'success', isError: true, text, status: error.status, records },
  }
}

function modelFailure(state: QueryState, text: string, name: Parameters<typeof apiErrorRecord>[2]): End {
  const records = [apiErrorRecord(state, text, name)]
  return { type: 'end', ending: { reason: 'model_error', subtype: 'success', isError: true, text, records } }
}
