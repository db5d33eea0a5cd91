import type { EffortLevel, JsonObject } from '@x/contract'
import type { ProxyOptions } from './proxies.ts'

/** Thinking without a fixed budget, or none. */
export interface PlainThinking {
  /** `adaptive`: the model decides. `disabled`: none, where the model can go without. */
  readonly type: 'adaptive' | 'disabled'
}

/** Thinking with a budget. Newer models take none: they get `adaptive` instead. */
export interface BudgetedThinking {
  /** Tells a budget from the rest. */
  readonly type: 'enabled'
  /** Tokens, at least 1,024; never as much as the output limit. */
  readonly budgetTokens: number
}

/** How much a model thinks before it answers. */
export type ThinkingOption = PlainThinking | BudgetedThinking

/** Options of `createAnthropicModel`. None is read from the environment; `readAnthropicEnvironment` makes them of it. */
export interface AnthropicModelOptions {
  /** Sent as `x-api-key`. Wins over `authToken`. @default none: local endpoints need no key */
  readonly apiKey?: string
  /** Sent as `Authorization: Bearer`. */
  readonly authToken?: string
  /** Where the Messages API is, without `/v1`. @default 'https://api.anthropic.com' */
  readonly baseURL?: string
  /** Further header fields of every request. They win over the ones of the client. */
  readonly customHeaders?: Readonly<Record<string, string>>
  /** Names for the `anthropic-beta` header. */
  readonly betas?: readonly string[]
  /** Speaks in place of Node's own HTTP client. It gets each body in one piece. @default none */
  readonly fetch?: typeof fetch
  /** The proxies between here and the service; a `fetch` of your own goes its own way. @default none, or Node's with `NODE_USE_ENV_PROXY=1` */
  readonly proxies?: ProxyOptions
  /** Path of a PEM file with authorities that may vouch for the service, beside those that Node knows. Not for a `fetch` of your own. @default none */
  readonly extraCaFile?: string
  /** Time until the connection is there, in milliseconds; 0 waits as long as the system does. Not for a `fetch` of your own. @default 10000 */
  readonly connectTimeoutMs?: number
  /** Silence after which an attempt counts as stalled, in milliseconds; 0 waits for ever. Any byte ends the silence. @default 300000 */
  readonly idleTimeoutMs?: number
  /** Time until the response begins, in milliseconds; 0 waits for ever. A response that flows may take longer. @default 600000 */
  readonly timeoutMs?: number
  /** Output limit where the request names none. @default the model's own limit, see `modelLimits` */
  readonly maxOutputTokens?: number
  /** @default none sent: the model's own way */
  readonly thinking?: ThinkingOption
  /** How thorough answers are where the request does not say. @default none sent: the model's own level */
  readonly effort?: EffortLevel
  /** How long cached prefixes live, or `off` for no cache markers. @default '5m' */
  readonly promptCaching?: 'off' | '5m' | '1h'
  /** Models without cache markers: parts of their names, such as `haiku`. @default [] */
  readonly promptCachingOffFor?: readonly string[]
  /** Fields added to the body of every request; they replace fields of the same name, but never `tools`, `system`, `messages` or `stream`. */
  readonly extraBody?: JsonObject
}
