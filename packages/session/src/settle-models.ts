import { withoutUndefined } from '@x/contract'
import { assertLimits, builtInPrices, type QueryLimits } from '@x/loop'
import { resolveModelName } from '@x/model-anthropic'
import type { AgentDefinition } from '@x/subagent'
import type { SessionEnvironment } from './session-environment.ts'
import type { QueryOptions } from './session-options.ts'
import type { SessionSetup } from './session-setup.ts'

type Environment = Readonly<Record<string, string | undefined>>

type Models = Pick<SessionSetup, 'model' | 'fallbackModels' | 'limits' | 'prices'>

/** The models and what may be spent on them; a limit that cannot be kept is an error now, not in the middle of the work. */
export function settleModels(
  options: QueryOptions,
  env: Environment,
  environment: SessionEnvironment,
): Models {
  const model = resolveModelName(
    options.model ?? environment.model ?? options.settings?.model ?? 'sonnet',
    env,
  )
  const fallbackModels = readFallbackModels(options.fallbackModel).map((name) => resolveModelName(name, env))
  const limits = readLimits(options, environment)
  const { prices = builtInPrices } = options
  assertLimits({ modelName: model, fallbackModels, limits, prices })
  return { model, fallbackModels, limits, prices }
}

function readLimits({ maxTurns, maxBudgetUsd }: QueryOptions, environment: SessionEnvironment): QueryLimits {
  return withoutUndefined({ maxTurns: maxTurns ?? environment.maxTurns, maxBudgetUsd })
}

/** What the session's own agent says counts where the options say nothing. */
export function withAgentModel(options: QueryOptions, agent: AgentDefinition | undefined): QueryOptions {
  const { model } = agent ?? {}
  return model === undefined || model === 'inherit' || options.model !== undefined
    ? options
    : { ...options, model }
}

function readFallbackModels(value: QueryOptions['fallbackModel']): readonly string[] {
  const names = typeof value === 'string' ? value.split(',') : (value ?? [])
  return names.map((name) => name.trim()).filter((name) => name !== '')
}
