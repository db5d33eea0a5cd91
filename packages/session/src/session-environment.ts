import { type EffortLevel, toEffortLevel, withoutUndefined } from '@x/contract'

/** What a session reads from its environment. Values that cannot be read keep the default. */
export interface SessionEnvironment {
  readonly model?: string
  /** How thorough answers are, whatever else says so. */
  readonly effort?: EffortLevel
  readonly maxTurns?: number
  readonly maxConcurrency?: number
  /** How often a request is sent again, 0 to 15. */
  readonly maxRetries?: number
  /** How often in a row Stop hooks may send the model on; 0: without end. */
  readonly maxStopHookBlocks?: number
  /** The part of the window that may be full before the conversation is compacted, above 0 to 1. */
  readonly compactThreshold?: number
  /** Compact only when the user asks. */
  readonly isAutoCompactOff: boolean
  /** Never compact. */
  readonly isCompactOff: boolean
  /** Keep nothing of the session. */
  readonly isHistorySkipped: boolean
  /** How long agents may go on after the last result, in milliseconds; Infinity: as long as they take. */
  readonly agentWaitMs: number
  readonly debug: boolean
  /** Where the credentials come from, as the init record says it. */
  readonly apiKeySource: string
  /** Something that the Messages API can be reached with is set. */
  readonly hasEndpoint: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

const credentials = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']

/** Reads the variables that people set for a session. */
export function readSessionEnvironment(env: Environment): SessionEnvironment {
  const model = text(env, 'ANTHROPIC_MODEL')
  const maxTurns = positiveInteger(env, 'CLAUDE_CODE_MAX_TURNS')
  const maxConcurrency = positiveInteger(env, 'CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY')
  const retries = wholeNumber(env, 'CLAUDE_CODE_MAX_RETRIES')
  const maxStopHookBlocks = wholeNumber(env, 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP')
  const source = credentials.find((name) => text(env, name) !== undefined)
  return withoutUndefined({
    model,
    effort: toEffortLevel(env['CLAUDE_CODE_EFFORT_LEVEL']),
    maxTurns,
    maxConcurrency,
    maxRetries: retries === undefined ? undefined : Math.min(retries, 15),
    maxStopHookBlocks,
    compactThreshold: readPercent(env, 'CLAUDE_AUTOCOMPACT_PCT_OVERRIDE'),
    isAutoCompactOff: isOn(env, 'DISABLE_AUTO_COMPACT'),
    isCompactOff: isOn(env, 'DISABLE_COMPACT'),
    isHistorySkipped: isOn(env, 'CLAUDE_CODE_SKIP_PROMPT_HISTORY'),
    agentWaitMs: readWait(wholeNumber(env, 'CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS')),
    debug: isOn(env, 'CLAUDE_CODE_DEBUG'),
    apiKeySource: source ?? 'none',
    hasEndpoint: source !== undefined || text(env, 'ANTHROPIC_BASE_URL') !== undefined,
  })
}

/** Is a switch on? `1` and `true` are. */
export function isOn(env: Environment, name: string): boolean {
  return ['1', 'true'].includes(env[name]?.toLowerCase() ?? '')
}

/** A whole number above zero, or undefined where there is none. */
export function positiveInteger(env: Environment, name: string): number | undefined {
  const value = text(env, name)
  return value !== undefined && /^[0-9]+$/.test(value) && Number(value) > 0 ? Number(value) : undefined
}

/** 0 means without end. */
function readWait(ms: number | undefined): number {
  return ms === 0 ? Infinity : (ms ?? 600_000)
}

/** A percentage as a part of one, or undefined where there is none. */
function readPercent(env: Environment, name: string): number | undefined {
  const percent = positiveInteger(env, name)
  return percent !== undefined && percent <= 100 ? percent / 100 : undefined
}

/** A whole number, zero too, or undefined where there is none. */
function wholeNumber(env: Environment, name: string): number | undefined {
  return text(env, name) === '0' ? 0 : positiveInteger(env, name)
}

function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}
