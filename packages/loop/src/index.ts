export { assertLimits, type LimitedOptions } from './budget.ts'
export type {
  Compaction,
  CompactorOptions,
  CompactTrigger,
  PostCompactView,
  PreCompactView,
} from './compact/compactor-options.ts'
export { createCompactor } from './compact/create-compactor.ts'
export type {
  Compact,
  CompactOptions,
  CompactOutcome,
  CompactReason,
  ShorterHistory,
  UnchangedHistory,
} from './compact/port.ts'
export { type CompactionEnd, runCompaction } from './compact/run-compaction.ts'
export { isSummaryText } from './compact/texts.ts'
export { createMeter, type Meter, type MeterOptions } from './meter.ts'
export type { LongPromptPrices, ModelPrice, PriceTable, TokenPrices } from './prices.ts'
export { builtInPrices, builtInPricesDate } from './prices.ts'
export { runQuery } from './run-query.ts'
export { createToolDefinitions, type ToolDefinitions } from './tool-definitions.ts'
export type {
  AfterCalls,
  AnsweredCall,
  CallsView,
  ExecutorSettings,
  PostSampling,
  Query,
  QueryEnd,
  QueryLimits,
  QueryOptions,
  RetryOptions,
  SamplingView,
  StopHook,
  StopView,
} from './types.ts'
