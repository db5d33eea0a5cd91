export { createAnthropicModel } from './anthropic-model.ts'
export { readAnthropicEnvironment } from './environment.ts'
export type { ModelLimits } from './model-limits.ts'
export { modelLimits, supportedEffort } from './model-limits.ts'
export type { Environment } from './model-name.ts'
export { resolveModelName } from './model-name.ts'
export type {
  AnthropicModelOptions,
  BudgetedThinking,
  PlainThinking,
  ThinkingOption,
} from './options.ts'
export { type ProxyOptions, proxyEnvironment } from './proxies.ts'
