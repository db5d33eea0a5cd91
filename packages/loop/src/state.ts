import type { ModelError, PermissionDenial, Tool } from '@x/contract'
import type { BaseContext, Clock } from '@x/executor'
import type { Attempt } from './attempt.ts'
import { systemClock } from './clock.ts'
import type { CompactReason } from './compact/port.ts'
import { normalizeModels } from './fallback.ts'
import { History } from './history.ts'
import { createMeter, type Meter } from './meter.ts'
import { builtInPrices } from './prices.ts'
import { createToolDefinitions, type ToolDefinitions } from './tool-definitions.ts'
import type { QueryOptions } from './types.ts'

/** What one running query knows; its steps share it. */
export interface QueryState {
  readonly options: QueryOptions
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly place: { readonly parent_tool_use_id: string | null }
  /** The model and its fallbacks, each once. */
  readonly models: readonly string[]
  readonly history: History
  readonly meter: Meter
  /** What all count that spend together: this query, or its agents too. */
  readonly total: Meter
  readonly defineTools: ToolDefinitions
  readonly denials: PermissionDenial[]
  readonly startedAt: number
  /** The index in `models` that the next turn asks first; a kept message that broke off moves it for one turn. */
  nextModel: number
  context: BaseContext
  tools: readonly Tool[]
  /** The message at work, until it is in the history or withdrawn. */
  attempt: Attempt | undefined
  /** When the calls of all messages before have ended. */
  settled: Promise<void>
  turns: number
  toolTurns: number
  /** In a row: messages lost at the output limit, pauses, stop hooks that sent the model on. */
  cutMessages: number
  pauses: number
  stopBlocks: number
  /** Tokens that the last request and its answer took of the window; 0: not known. */
  contextTokens: number
  /** The history has to become shorter before the next request. */
  compactReason: CompactReason | undefined
  /** The last request was too long; ends the query if the history cannot become shorter. */
  tooLong: ModelError | undefined
  /** The last compaction was not followed by a message yet. */
  isCompacted: boolean
  /** The turns before the last compaction. */
  compactedAt: number | undefined
  /** In a row: compactions after which one message filled the window again, failures. */
  refills: number
  failedCompactions: number
  isEnded: boolean
  lastText: string
  lastStopReason: string | null
}

/** Makes the state of a query that begins now. */
export function openState(options: QueryOptions): QueryState {
  const { clock = systemClock, parentToolUseId = null } = options
  const meter = createMeter({
    model: options.model,
    prices: options.prices ?? builtInPrices,
    maxOutputTokens: options.maxOutputTokens,
    total: options.total,
  })
  return {
    options,
    clock,
    signal: options.controller.signal,
    place: { parent_tool_use_id: parentToolUseId },
    models: normalizeModels(options),
    history: new History(options.history, options.messages ?? []),
    meter,
    total: options.total ?? meter,
    defineTools: options.toolDefinitions ?? createToolDefinitions(),
    denials: [],
    startedAt: clock.now(),
    nextModel: 0,
    context: options.context,
    tools: [],
    attempt: undefined,
    settled: Promise.resolve(),
    turns: 0,
    toolTurns: 0,
    cutMessages: 0,
    pauses: 0,
    stopBlocks: 0,
    contextTokens: 0,
    compactReason: undefined,
    tooLong: undefined,
    isCompacted: false,
    compactedAt: undefined,
    refills: 0,
    failedCompactions: 0,
    isEnded: false,
    lastText: '',
    lastStopReason: null,
  }
}
