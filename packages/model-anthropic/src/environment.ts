import { type JsonObject, toEffortLevel, withoutUndefined } from '@x/contract'
import { isJsonObject } from './json-object.ts'
import type { Environment } from './model-name.ts'
import type { AnthropicModelOptions, ThinkingOption } from './options.ts'
import { readProxies } from './proxies.ts'

/**
 * Turns the environment variables people set into options of `createAnthropicModel`.
 *
 * Empty and unparsable values keep the default. Nothing but `env` is read.
 */
export function readAnthropicEnvironment(env: Environment): AnthropicModelOptions {
  return withoutUndefined({
    apiKey: text(env['ANTHROPIC_API_KEY']),
    authToken: text(env['ANTHROPIC_AUTH_TOKEN']) ?? text(env['CLAUDE_CODE_OAUTH_TOKEN']),
    baseURL: text(env['ANTHROPIC_BASE_URL']),
    customHeaders: parseHeaders(env['ANTHROPIC_CUSTOM_HEADERS']),
    proxies: readProxies(env),
    extraCaFile: text(env['NODE_EXTRA_CA_CERTS']),
    betas: parseList(env['ANTHROPIC_BETAS']),
    maxOutputTokens: count(env['CLAUDE_CODE_MAX_OUTPUT_TOKENS'], 1),
    thinking: parseThinking(env['MAX_THINKING_TOKENS']),
    effort: toEffortLevel(env['CLAUDE_CODE_EFFORT_LEVEL']),
    promptCaching: parseCaching(env),
    promptCachingOffFor: uncachedFamilies(env),
    timeoutMs: count(env['API_TIMEOUT_MS'], 1),
    idleTimeoutMs: count(env['CLAUDE_STREAM_IDLE_TIMEOUT_MS'], 1),
    extraBody: parseObject(env['CLAUDE_CODE_EXTRA_BODY']),
  })
}

const families = ['haiku', 'sonnet', 'opus', 'fable']
const LONGEST_TIMER_MS = 2 ** 31 - 1

function text(value: string | undefined): string | undefined {
  const trimmed = value?.trim()
  return trimmed === '' ? undefined : trimmed
}

function count(value: string | undefined, least: number): number | undefined {
  const trimmed = text(value)
  if (trimmed === undefined || !/^\d+$/.test(trimmed)) return undefined
  const parsed = Number(trimmed)
  return parsed >= least && parsed <= LONGEST_TIMER_MS ? parsed : undefined
}

function parseHeaders(value: string | undefined): Record<string, string> | undefined {
  const pairs = (value ?? '').split('\n').flatMap((line) => {
    const colon = line.indexOf(':')
    return colon > 0 ? [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const] : []
  })
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
}

function parseList(value: string | undefined): readonly string[] | undefined {
  const names = (value ?? '').split(',').flatMap((name) => text(name) ?? [])
  return names.length === 0 ? undefined : names
}

function parseThinking(value: string | undefined): ThinkingOption | undefined {
  const tokens = count(value, 0)
  if (tokens === undefined) return undefined
  return tokens === 0 ? { type: 'disabled' } : { type: 'enabled', budgetTokens: Math.max(1024, tokens) }
}

function parseCaching(env: Environment): 'off' | '5m' | '1h' | undefined {
  if (isOn(env['DISABLE_PROMPT_CACHING'])) return 'off'
  if (isOn(env['FORCE_PROMPT_CACHING_5M'])) return '5m'
  return isOn(env['ENABLE_PROMPT_CACHING_1H']) ? '1h' : undefined
}

function uncachedFamilies(env: Environment): readonly string[] | undefined {
  const names = families.filter((family) => isOn(env[`DISABLE_PROMPT_CACHING_${family.toUpperCase()}`]))
  return names.length === 0 ? undefined : names
}

function parseObject(value: string | undefined): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(value ?? '')
    return isJsonObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function isOn(value: string | undefined): boolean {
  return ['1', 'true', 'yes', 'on'].includes(value?.trim().toLowerCase() ?? '')
}
