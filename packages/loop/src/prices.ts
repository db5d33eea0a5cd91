import type { Usage } from '@x/contract'

/** US dollars per million tokens. */
export interface TokenPrices {
  /** Input that no cache was involved in. */
  readonly input: number
  /** Output, thinking included. */
  readonly output: number
  /** Input written to the prompt cache. */
  readonly cacheWrite: number
  /** Input read from the prompt cache. */
  readonly cacheRead: number
}

/** What one model costs. */
export interface ModelPrice extends TokenPrices {
  /** What every token of a request costs whose input, cached or not, is longer. */
  readonly longPrompt?: LongPromptPrices
}

/** What a long request costs. */
export interface LongPromptPrices extends TokenPrices {
  /** Tokens of input, cached or not, up to which it does not count as long. */
  readonly aboveTokens: number
}

/** Prices by model name; a name also stands for its dated versions (`name-20250929`), `name-latest` and `name[1m]`. */
export type PriceTable = Readonly<Record<string, ModelPrice>>

/** The day of the list that the built-in prices follow. */
export const builtInPricesDate = '2026-10-24'

/** List prices of the models of the Messages API, US dollars per million tokens; cache writes for five minutes. */
export const builtInPrices: PriceTable = {
  'claude-fable-5-1': price(10, 50, 0.025),
  'claude-mythos-5-1': price(10, 50, 0.025),
  'claude-fable-5': price(10, 50),
  'claude-mythos-5': price(10, 50),
  'claude-opus-5-5': price(4, 20, 0.05),
  'claude-opus-5': price(5, 25),
  'claude-opus-4-8': price(5, 25),
  'claude-opus-4-7': price(5, 25),
  'claude-opus-4-6': price(5, 25),
  'claude-opus-4-5': price(5, 25),
  'claude-opus-4-1': price(15, 75),
  'claude-opus-4-0': price(15, 75),
  'claude-opus-4': price(15, 75),
  'claude-sonnet-5-5': price(2, 10, 0.05),
  'claude-sonnet-5': price(2, 10),
  'claude-sonnet-4-6': price(3, 15),
  'claude-sonnet-4-5': price(3, 15),
  'claude-sonnet-4-0': price(3, 15),
  'claude-sonnet-4': price(3, 15),
  'claude-3-7-sonnet': price(3, 15),
  'claude-haiku-5-5': { ...price(0.1, 0.5), longPrompt: { aboveTokens: 100_000, ...price(0.5, 2.5) } },
  'claude-haiku-4-5': price(1, 5),
  'claude-3-5-haiku': price(0.8, 4),
  'claude-3-haiku': { input: 0.25, output: 1.25, cacheWrite: 0.3, cacheRead: 0.03 },
}

/** Finds the price of a model; `undefined` where the table has none. */
export function findPrice(prices: PriceTable, model: string): ModelPrice | undefined {
  if (Object.hasOwn(prices, model)) return prices[model]
  const name = model.replace(/\[[^\]]*\]$/, '').replace(/-(\d{8}|latest)$/, '')
  return Object.hasOwn(prices, name) ? prices[name] : undefined
}

/** Computes what a response cost, in US dollars. */
export function costOf(modelPrice: ModelPrice, usage: Usage): number {
  const written = usage.cache_creation_input_tokens ?? 0
  const read = usage.cache_read_input_tokens ?? 0
  const { longPrompt } = modelPrice
  const isLong = longPrompt !== undefined && usage.input_tokens + written + read > longPrompt.aboveTokens
  const { input, output, cacheWrite, cacheRead } = isLong ? longPrompt : modelPrice
  const millionths =
    usage.input_tokens * input + usage.output_tokens * output + written * cacheWrite + read * cacheRead
  return millionths / 1_000_000
}

/** Cache prices are a part of the input price. */
function price(input: number, output: number, cacheReadShare = 0.1): TokenPrices {
  return { input, output, cacheWrite: input * 1.25, cacheRead: input * cacheReadShare }
}
