import { expect, test } from 'vitest'
import { builtInPrices } from '../src/index.ts'
import { play } from './kit.ts'
import { blockSteps, end, scriptedModel, start, text } from './scripted-model.ts'

const million = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

async function costOf(modelName: string, usage: Partial<typeof million>): Promise<number> {
  const script = [
    start(),
    ...blockSteps(text('Hi'), 0),
    { ...end('end_turn'), usage: { ...million, ...usage } } as never,
  ]
  const played = await play(scriptedModel(script), { modelName, limits: { maxBudgetUsd: 1_000 } })
  return played.result.total_cost_usd
}

test.each([
  ['claude-sonnet-4-5', { input_tokens: 1e6 }, 3],
  ['claude-sonnet-4-5-20250929', { output_tokens: 1e6 }, 15],
  ['claude-sonnet-5-5[1m]', { cache_read_input_tokens: 1e6 }, 0.1],
  ['claude-opus-5-5', { cache_creation_input_tokens: 1e6 }, 5],
  ['claude-haiku-5-5', { input_tokens: 1e5, output_tokens: 1e6 }, 0.51],
  ['claude-haiku-5-5', { input_tokens: 1e5, cache_read_input_tokens: 1, output_tokens: 1e6 }, 2.55],
] as const)('%s: %j costs %d dollars', async (model, usage, dollars) => {
  expect(await costOf(model, usage)).toBeCloseTo(dollars, 5)
})

test('names of the prototype have no price', async () => {
  await expect(costOf('constructor', {})).rejects.toThrow(RangeError)
})

test('every built-in price is a positive number, and reading the cache is cheaper than input', () => {
  for (const price of Object.values(builtInPrices)) {
    expect(Object.values(price).every((value) => typeof value !== 'number' || value > 0)).toBe(true)
    expect(price.cacheRead).toBeLessThan(price.input)
  }
})
