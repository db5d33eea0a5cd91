import { isLargeWindow, modelLimits, wireName } from './model-limits.ts'
import type { AnthropicModelOptions } from './options.ts'

/** Gives the header fields of a request, names in lower case. Fields of the options win over all others. */
export function requestHeaders(model: string, options: AnthropicModelOptions): Record<string, string> {
  const needsBeta =
    isLargeWindow(model) && modelLimits(wireName(model)).contextWindow < modelLimits(model).contextWindow
  const betas = [...(options.betas ?? []), ...(needsBeta ? [LARGE_WINDOW_BETA] : [])]
  const custom = Object.entries(options.customHeaders ?? {})
  return {
    accept: 'application/json',
    'anthropic-version': '2023-06-01',
    'content-type': 'application/json',
    'user-agent': 'x-model-anthropic',
    ...authentication(options),
    ...(betas.length === 0 ? {} : { 'anthropic-beta': [...new Set(betas)].join(',') }),
    ...Object.fromEntries(custom.map(([name, value]) => [name.toLowerCase(), value])),
  }
}

const LARGE_WINDOW_BETA = 'context-1m-2025-08-07'

// Keys go out as `x-api-key`, which endpoints of every age understand.
function authentication({ apiKey, authToken }: AnthropicModelOptions): Record<string, string> {
  if (apiKey !== undefined) return { 'x-api-key': apiKey }
  return authToken === undefined ? {} : { authorization: `Bearer ${authToken}` }
}
