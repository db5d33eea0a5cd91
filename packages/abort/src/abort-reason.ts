/** Who or what started an abort. */
export type AbortKind =
  | 'user-cancel'
  | 'user-interrupt'
  | 'sibling-failed'
  | 'permission-rejected'
  | 'streaming-fallback'
  | 'host-stopped'
  | 'timeout'

/** What is known about an abort beside its kind. */
export interface AbortFacts {
  /** The call that failed or was refused. */
  readonly toolUseId?: string
  /** The name of that call's tool. */
  readonly toolName?: string
  /** The time limit that was reached, in milliseconds. */
  readonly timeoutMs?: number
}

/** Options of an `AbortReason`. */
export interface AbortReasonOptions {
  /** What happened, for people. @default a sentence for the kind */
  readonly message?: string
  /** What is known beside the kind. @default nothing */
  readonly facts?: AbortFacts
  /** The error behind the abort. @default none */
  readonly cause?: unknown
}

const brand: unique symbol = Symbol.for('@x/abort.AbortReason')

/**
 * Says why something was aborted. Its `name` is `AbortError`, so code that knows only the platform's abort error
 * treats it as one.
 *
 * @example
 * controller.abort(new AbortReason('sibling-failed', { facts: { toolUseId: 'toolu_1' } }))
 */
export class AbortReason extends Error {
  /** Always `AbortError`. */
  override readonly name = 'AbortError'
  /** Who or what started the abort. */
  readonly kind: AbortKind
  /** What is known beside the kind. */
  readonly facts: AbortFacts

  constructor(kind: AbortKind, options: AbortReasonOptions = {}) {
    super(options.message ?? messages[kind], 'cause' in options ? { cause: options.cause } : undefined)
    this.kind = kind
    this.facts = options.facts ?? {}
    Object.defineProperty(this, brand, { value: true })
  }
}

/** The reason of a time limit that was reached. */
export class TimeoutReason extends AbortReason {
  /** Always `timeout`. */
  declare readonly kind: 'timeout'
  /** The limit that was reached. */
  declare readonly facts: AbortFacts & Required<Pick<AbortFacts, 'timeoutMs'>>

  constructor(timeoutMs: number) {
    super('timeout', { message: `Timed out after ${timeoutMs} ms`, facts: { timeoutMs } })
  }
}

/**
 * Whether a value is an `AbortReason`, also one made by another installed copy of this package.
 *
 * @example
 * isAbortReason(signal.reason) && signal.reason.kind === 'user-cancel'
 */
export function isAbortReason(value: unknown): value is AbortReason {
  return typeof value === 'object' && value !== null && Reflect.get(value, brand) === true
}

/** The `AbortReason` of an aborted signal; `undefined` if it is not aborted or was aborted with something else. */
export function abortReasonOf(signal: AbortSignal): AbortReason | undefined {
  const reason: unknown = signal.reason
  return isAbortReason(reason) ? reason : undefined
}

const messages: Readonly<Record<AbortKind, string>> = {
  'user-cancel': 'The user cancelled the query',
  'user-interrupt': 'The user interrupted with a new message',
  'sibling-failed': 'A parallel call failed',
  'permission-rejected': 'The user rejected the permission',
  'streaming-fallback': 'The message was withdrawn and is requested again',
  'host-stopped': 'The host stopped the query',
  timeout: 'The time limit was reached',
}
