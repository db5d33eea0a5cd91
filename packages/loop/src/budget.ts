import { type Ending, endings } from './ending.ts'
import { normalizeModels } from './fallback.ts'
import { countTokens } from './meter.ts'
import { builtInPrices, findPrice } from './prices.ts'
import type { QueryState } from './state.ts'
import type { QueryOptions } from './types.ts'

/** Checks before a request whether the budget is used up. */
export function checkBudget(state: QueryState): Ending | undefined {
  const { maxBudgetUsd, maxTokens } = state.options.limits ?? {}
  const { usage } = state.meter
  const { costUsd } = state.total
  if (maxBudgetUsd !== undefined && costUsd >= maxBudgetUsd) return endings.maxBudget(state).ending
  if (maxTokens !== undefined && countTokens(usage) >= maxTokens) return endings.maxTokens(state).ending
  return undefined
}

/** The options that say where a query stops, and what its models cost. */
export type LimitedOptions = Pick<QueryOptions, 'modelName' | 'fallbackModels' | 'limits' | 'prices'>

/**
 * Checks limits before there is a query. `runQuery` does it too.
 *
 * @throws RangeError if a limit is out of range, or a model has no price while there is a budget in money.
 */
export function assertLimits(options: LimitedOptions): void {
  const { maxTurns, maxBudgetUsd, maxTokens } = options.limits ?? {}
  assertPositive('limits.maxTurns', maxTurns)
  assertPositive('limits.maxBudgetUsd', maxBudgetUsd)
  assertPositive('limits.maxTokens', maxTokens)
  if (maxTurns !== undefined && !Number.isInteger(maxTurns)) {
    throw new RangeError(`limits.maxTurns must be a whole number, but is ${maxTurns}`)
  }
  if (maxBudgetUsd === undefined) return
  const { prices = builtInPrices } = options
  const unpriced = normalizeModels(options).find((model) => findPrice(prices, model) === undefined)
  if (unpriced === undefined) return
  throw new RangeError(`limits.maxBudgetUsd needs a price for model ${unpriced}; add it to the option prices`)
}

function assertPositive(name: string, value: number | undefined): void {
  if (value === undefined || value > 0) return
  throw new RangeError(`${name} must be greater than 0, but is ${value}`)
}
