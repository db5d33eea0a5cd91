import type { Usage } from '@x/contract'

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  /** Writing to the prompt cache. */
  readonly cacheWrite: number
  /** Reading from the prompt cache. */
  readonly cacheRead: number
}

/** Prices by model name; a name also stands for its dated versions (`name-20250929`) and `name-latest`. */
export type PriceTable = Readonly<Record<string, ModelPrice>>

/** The day on which the built-in prices were looked up. */
export const builtInPricesDate = '2025-11-30'

/** List prices of the models of the Messages API, US dollars per million tokens. */
export const builtInPrices: PriceTable = {
  'claude-opus-4-5': price(5, 25),
  'claude-opus-4-1': price(15, 75),
  'claude-opus-4-0': price(15, 75),
  'claude-opus-4': price(15, 75),
  'claude-sonnet-4-5': price(3, 15),
  'claude-sonnet-4-0': price(3, 15),
  'claude-sonnet-4': price(3, 15),
  'claude-3-7-sonnet': price(3, 15),
  'claude-haiku-4-5': price(1, 5),
  'claude-3-5-haiku': price(0.8, 4),
  'claude-3-haiku': { input: 0.25, output: 1.25, cacheWrite: 0.3, cacheRead: 0.03 },
}

/** Finds the price of a model; `undefined` where the table has none. */
export function findPrice(prices: PriceTable, model: string): ModelPrice | undefined {
  if (Object.hasOwn(prices, model)) return prices[model]
  const name = model.replace(/-(\d{8}|latest)$/, '')
  return Object.hasOwn(prices, name) ? prices[name] : undefined
}

/** Computes what a response cost, in US dollars. */
export function costOf(price: ModelPrice, usage: Usage): number {
  const millionths =
    usage.input_tokens * price.input +
    usage.output_tokens * price.output +
    (usage.cache_creation_input_tokens ?? 0) * price.cacheWrite +
    (usage.cache_read_input_tokens ?? 0) * price.cacheRead
  return millionths / 1_000_000
}

/** Cache prices follow the input price: 1.25 times to write (for five minutes), a tenth to read. */
function price(input: number, output: number): ModelPrice {
  return { input, output, cacheWrite: input * 1.25, cacheRead: input / 10 }
}
