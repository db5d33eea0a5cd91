export { assertLimits, type LimitedOptions } from './budget.ts'
export type { LongPromptPrices, ModelPrice, PriceTable, TokenPrices } from './prices.ts'
export { builtInPrices, builtInPricesDate } from './prices.ts'
export { runQuery } from './run-query.ts'
export type {
  AfterCalls,
  AnsweredCall,
  CallsView,
  Compact,
  CompactOptions,
  CompactReason,
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
