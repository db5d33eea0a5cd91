import type { ContentBlock, HookOutcome, Message, Model } from '@x/contract'
import type { Clock } from '@x/executor'
import { assertRetry } from '../retry.ts'
import type { RetryOptions } from '../types.ts'

/** How histories are compacted. */
export interface CompactorOptions {
  /** The endpoint of the conversation. */
  readonly model: Model
  /**
   * Writes a shorter history: what is loaded later begins with it. Tools that tell the model "as before" are told here that it may not
   * be there any more. A rejection: nothing is compacted, and the query ends.
   */
  readonly log: (compaction: Compaction, messages: readonly Message[]) => Promise<void>
  /** So many of the last turns stay as they are, as far as they fill no more than a fifth of the window. @default 3 */
  readonly keepTurns?: number
  /** Most tokens of a summary. @default that of the conversation's answers, so that the service's cache counts */
  readonly maxSummaryTokens?: number
  /** What joins the summary: files at work, the plan, tasks, what runs in the background. A failure is noted. @default nothing */
  readonly attachments?: (signal: AbortSignal) => Promise<readonly ContentBlock[]>
  /** Called before a summary is asked for; a `blockingError` keeps the history as it is. A throw is noted and blocks nothing. */
  readonly onPreCompact?: (view: PreCompactView) => Promise<Pick<HookOutcome, 'blockingError'> | undefined>
  /** Called when the shorter history is logged. A throw is noted. */
  readonly onPostCompact?: (view: PostCompactView) => Promise<Pick<HookOutcome, 'notices'> | undefined>
  /** How often a request for a summary is sent again. @default 3 tries, else as for a query */
  readonly retry?: RetryOptions
  /** Compacts only when the user asks. @default false */
  readonly isAutoDisabled?: boolean
  /** Never compacts. @default false */
  readonly isDisabled?: boolean
  /** Time, for the waits between retries. @default the system's */
  readonly clock?: Clock
  /** From 0 to below 1, for the jitter of the waits. @default Math.random */
  readonly random?: () => number
}

/** What set a compaction off. */
export type CompactTrigger = 'manual' | 'auto'

/** What was done to a history. */
export interface Compaction {
  /** Old results were removed, or all but the last turns became a summary: then the first message holds it. */
  readonly kind: 'trim' | 'summary'
  /** What set it off. */
  readonly trigger: CompactTrigger
  /** Tokens of the context before. */
  readonly preTokens: number
}

/** What is known before a summary is asked for. */
export interface PreCompactView {
  /** What set it off. */
  readonly trigger: CompactTrigger
  /** What the user wants of the summary; null if nothing. */
  readonly instructions: string | null
  /** The query's. */
  readonly signal: AbortSignal
}

/** What is known after a compaction. */
export interface PostCompactView {
  /** What set it off. */
  readonly trigger: CompactTrigger
  /** What the model wrote. */
  readonly summary: string
  /** The query's. */
  readonly signal: AbortSignal
}

/** Checks the options at the public edge. */
export function assertCompactor({ keepTurns, maxSummaryTokens, retry = {} }: CompactorOptions): void {
  assertRetry({ retry })
  assertWhole('keepTurns', keepTurns, 0)
  assertWhole('maxSummaryTokens', maxSummaryTokens, 1)
}

function assertWhole(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return
  throw new RangeError(`${name} must be a whole number from ${least}, but is ${value}`)
}
