import { type EffortLevel, effortLevels } from '@x/contract'

/** What a model can take and give. */
export interface ModelLimits {
  /** Tokens that fit into one request and its answer. */
  readonly contextWindow: number
  /** Tokens one answer may have. */
  readonly maxOutputTokens: number
  /** `budget`: takes a thinking budget; `adaptive`: decides itself, can be disabled; `always`: cannot be disabled. */
  readonly thinking: 'budget' | 'adaptive' | 'always' | 'unknown'
  /** The effort levels it knows, from low to high; none: it must not be asked for one. */
  readonly effortLevels: readonly EffortLevel[]
}

/**
 * Gives the published limits of a model, by the start of its name.
 *
 * The suffix `[1m]` asks for the large window. Unknown names (other services, newer models) get careful limits.
 */
export function modelLimits(model: string): ModelLimits {
  const name = wireName(model)
  const limits = table.find(([start]) => name.startsWith(start))?.[1] ?? unknownModel
  return isLargeWindow(model) ? { ...limits, contextWindow: Math.max(MILLION, limits.contextWindow) } : limits
}

/** Gives the name that goes over the wire: without the suffix `[1m]`. */
export function wireName(model: string): string {
  return model.replace(/\[1m\]$/i, '')
}

/** Tells whether a model name asks for the large window. */
export function isLargeWindow(model: string): boolean {
  return /\[1m\]$/i.test(model)
}

const MILLION = 1_000_000

const large: ModelLimits = {
  contextWindow: MILLION,
  maxOutputTokens: 128_000,
  thinking: 'adaptive',
  effortLevels,
}
const largeWithoutXhigh: ModelLimits = { ...large, effortLevels: ['low', 'medium', 'high', 'max'] }
const largeThinker: ModelLimits = { ...large, thinking: 'always' }
const older: ModelLimits = {
  contextWindow: 200_000,
  maxOutputTokens: 64_000,
  thinking: 'budget',
  effortLevels: [],
}
const unknownModel: ModelLimits = {
  contextWindow: 200_000,
  maxOutputTokens: 32_000,
  thinking: 'unknown',
  effortLevels: [],
}

// As published on the service's model pages in November 2026. Longer beginnings stand before shorter ones.
const table: readonly (readonly [string, ModelLimits])[] = [
  ['claude-fable-5', largeThinker],
  ['claude-mythos-preview', { ...largeWithoutXhigh, thinking: 'always' }],
  ['claude-mythos', largeThinker],
  ['claude-opus-5-5', largeThinker],
  ['claude-opus-5', large],
  ['claude-sonnet-5', large],
  ['claude-haiku-5', large],
  ['claude-opus-4-8', large],
  ['claude-opus-4-7', large],
  ['claude-opus-4-6', largeWithoutXhigh],
  ['claude-sonnet-4-6', largeWithoutXhigh],
  ['claude-opus-4-5', { ...older, effortLevels: ['low', 'medium', 'high'] }],
  ['claude-sonnet-4-5', older],
  ['claude-haiku-4-5', older],
]

/**
 * The level of effort that a model is asked for: the highest one it knows that is not above the wanted one. Undefined where it knows none;
 * the service would refuse a level the model does not know.
 */
export function supportedEffort(model: string, wanted: EffortLevel | undefined): EffortLevel | undefined {
  if (wanted === undefined) return undefined
  const upToWanted = effortLevels.slice(0, effortLevels.indexOf(wanted) + 1)
  return modelLimits(model).effortLevels.findLast((level) => upToWanted.includes(level))
}
