import { describe, expect, test } from 'vitest'
import { play, setUp, tool } from './kit.ts'
import { call, message, scriptedModel, text } from './scripted-model.ts'

const prices = { main: { input: 1_000, output: 10_000, cacheWrite: 0, cacheRead: 0 } }
const endlessWork = () =>
  scriptedModel(...Array.from({ length: 50 }, (_, index) => message(call(`c${index}`, 'Read'))))
const tools = () => [tool('Read')]

describe('limits', () => {
  test('the turn limit counts turns with tools; calls beyond it do not run', async () => {
    for (const engine of ['streaming', 'batch'] as const) {
      let runs = 0
      const counting = tool('Read', { run: async () => ({ data: String((runs += 1)) }) })
      const scripted = endlessWork()
      const played = await play(scripted, { tools: () => [counting], engine, limits: { maxTurns: 2 } })
      expect([runs, scripted.requests.length]).toEqual([2, 3])
      expect(played.result).toMatchObject({
        subtype: 'error_max_turns',
        is_error: true,
        terminal_reason: 'max_turns',
      })
      expect(played.result.result).toBeUndefined()
      expect(played.result.errors).toHaveLength(1)
      expect(played.end.messages.at(-1)?.content).toMatchObject([{ tool_use_id: 'c2', is_error: true }])
      expect(played.faults).toEqual([])
    }
  })

  test('a last message without calls is not held back by the turn limit', async () => {
    const scripted = scriptedModel(message(call('a', 'Read')), message(text('Fine')))
    const played = await play(scripted, { tools, limits: { maxTurns: 1 } })
    expect(played.result).toMatchObject({ subtype: 'success', result: 'Fine' })
  })

  test('a turn without calls does not count for the turn limit', async () => {
    const scripted = scriptedModel(message(text('Done?')), message(call('a', 'Read')), message(text('Done.')))
    let asked = 0
    const once = async () =>
      (asked += 1) === 1 ? { context: [], notices: [], blockingError: 'Read it first' } : undefined
    const played = await play(scripted, { tools, limits: { maxTurns: 1 }, stopHooks: [once] })
    expect(played.result).toMatchObject({ subtype: 'success', result: 'Done.' })
  })

  test('money is checked before each request', async () => {
    // Each message costs 10 * 0.001 + 5 * 0.01 = 0.06 dollars.
    const scripted = endlessWork()
    const played = await play(scripted, { tools, prices, limits: { maxBudgetUsd: 0.12 } })
    expect(scripted.requests.length).toBe(2)
    expect(played.result).toMatchObject({
      subtype: 'error_max_budget_usd',
      is_error: true,
      terminal_reason: 'budget_exhausted',
    })
    expect(played.result.total_cost_usd).toBeCloseTo(0.12)
    expect(played.end.costUsd).toBeCloseTo(0.12)
    expect(played.faults).toEqual([])
  })

  test('tokens are checked before each request', async () => {
    const scripted = endlessWork()
    const played = await play(scripted, { tools, limits: { maxTokens: 40 } })
    expect(scripted.requests.length).toBe(3)
    expect(played.result).toMatchObject({
      subtype: 'error_during_execution',
      terminal_reason: 'budget_exhausted',
    })
    expect(played.end.usage).toMatchObject({ input_tokens: 30, output_tokens: 15 })
  })

  test('says how long an answer may be: what was asked for, else what the endpoint says', async () => {
    const endpoint = () => ({ ...scriptedModel(), maxOutputTokens: () => 64_000 })
    const byEndpoint = await play(endpoint())
    const asked = await play(endpoint(), { maxOutputTokens: 500 })
    expect(byEndpoint.result.modelUsage).toMatchObject({ main: { maxOutputTokens: 64_000 } })
    expect(asked.result.modelUsage).toMatchObject({ main: { maxOutputTokens: 500 } })
  })

  test('a model without a price and a budget in money is refused before anything is sent', () => {
    const unpriced = { limits: { maxBudgetUsd: 1 } }
    expect(() => setUp(scriptedModel(), unpriced)).toThrow(/needs a price for model main/)
    expect(() => setUp(scriptedModel(), { ...unpriced, prices, fallbackModels: ['other'] })).toThrow(
      /model other/,
    )
    expect(() =>
      setUp(scriptedModel(), { ...unpriced, modelName: 'claude-sonnet-4-5-20250929' }),
    ).not.toThrow()
  })

  test.each([
    { limits: { maxTurns: 0 } },
    { limits: { maxTurns: 1.5 } },
    { limits: { maxBudgetUsd: -1 } },
    { limits: { maxTokens: Number.NaN } },
    { retry: { maxRetries: 16 } },
    { retry: { maxRetries: -1 } },
  ])('a limit out of range is refused at once: %j', (options) => {
    expect(() => setUp(scriptedModel(), options)).toThrow(RangeError)
  })
})

describe('usage', () => {
  test('names every model with its tokens and its cost', async () => {
    const played = await play(scriptedModel(message(call('a', 'Read'))), { tools, prices })
    expect(played.result.modelUsage).toEqual({
      main: {
        inputTokens: 20,
        outputTokens: 10,
        cacheReadInputTokens: 0,
        cacheCreationInputTokens: 0,
        webSearchRequests: 0,
        costUSD: expect.closeTo(0.12),
        contextWindow: 200_000,
        maxOutputTokens: 0,
      },
    })
  })

  test('a model without a price costs nothing where nobody asked for a budget', async () => {
    const played = await play(scriptedModel(message(text('Hi'))))
    expect(played.result).toMatchObject({ total_cost_usd: 0, usage: { input_tokens: 10, output_tokens: 5 } })
  })
})
