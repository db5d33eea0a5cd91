import type { Model, ModelUsage, Usage } from '@x/contract'
import { builtInPrices, costOf, findPrice, type PriceTable } from './prices.ts'

/** No tokens at all. */
export const noUsage: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

/** Counts tokens and money of one query, or of several that spend together. */
export interface Meter {
  /** Adds one response, withdrawn ones too: they are paid for. */
  add(model: string, usage: Usage): void
  /** All tokens so far. */
  readonly usage: Usage
  /** What they cost, in US dollars. */
  readonly costUsd: number
  /** The same by model. */
  readonly modelUsage: Readonly<Record<string, ModelUsage>>
  /** Milliseconds spent on requests; added to by who sends them. */
  apiMs: number
}

/** What a meter counts by. */
export interface MeterOptions {
  /** The endpoint, which knows the windows of its models. */
  readonly model: Model
  /** Prices by model name. @default builtInPrices */
  readonly prices?: PriceTable
  /** As the entries of `modelUsage` tell it. @default what the endpoint says */
  readonly maxOutputTokens?: number | undefined
  /** Gets everything that is added, too. @default none */
  readonly total?: Pick<Meter, 'add'> | undefined
}

/** Creates a meter that has counted nothing. */
export function createMeter(options: MeterOptions): Meter {
  const { model: endpoint, prices = builtInPrices, maxOutputTokens, total: above } = options
  const models = new Map<string, ModelUsage>()
  let total = noUsage
  let costUsd = 0
  return {
    apiMs: 0,
    add(model, usage) {
      above?.add(model, usage)
      const price = findPrice(prices, model)
      const cost = price === undefined ? 0 : costOf(price, usage)
      const before = models.get(model) ?? noModelUsage
      const counts = toCounts(usage)
      total = addUsage(total, usage)
      costUsd += cost
      models.set(model, {
        inputTokens: before.inputTokens + counts.input_tokens,
        outputTokens: before.outputTokens + counts.output_tokens,
        cacheReadInputTokens: before.cacheReadInputTokens + counts.cache_read_input_tokens,
        cacheCreationInputTokens: before.cacheCreationInputTokens + counts.cache_creation_input_tokens,
        webSearchRequests: 0,
        costUSD: before.costUSD + cost,
        contextWindow: endpoint.contextWindow(model),
        maxOutputTokens: maxOutputTokens ?? endpoint.maxOutputTokens?.(model) ?? 0,
      })
    },
    get usage() {
      return total
    },
    get costUsd() {
      return costUsd
    },
    get modelUsage() {
      return Object.fromEntries(models)
    },
  }
}

/** Adds up all the tokens of a response: what it read, and what it wrote. */
export function countTokens(usage: Usage): number {
  return Object.values(toCounts(usage)).reduce((sum, count) => sum + count, 0)
}

const noModelUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
  costUSD: 0,
}

function toCounts(usage: Usage): { readonly [Key in keyof Usage]: number } {
  return {
    input_tokens: usage.input_tokens,
    output_tokens: usage.output_tokens,
    cache_creation_input_tokens: usage.cache_creation_input_tokens ?? 0,
    cache_read_input_tokens: usage.cache_read_input_tokens ?? 0,
  }
}

function addUsage(left: Usage, right: Usage): Usage {
  const one = toCounts(left)
  const other = toCounts(right)
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cache_creation_input_tokens: one.cache_creation_input_tokens + other.cache_creation_input_tokens,
    cache_read_input_tokens: one.cache_read_input_tokens + other.cache_read_input_tokens,
  }
}
