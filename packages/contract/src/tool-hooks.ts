import type { JsonObject } from './messages.ts'
import type { CallView, HookVerdict } from './permission.ts'

/** What all hooks of one event came to, merged. */
export interface HookOutcome {
  /** Context for the model; comes with the result. */
  readonly context: readonly string[]
  /** For the user. */
  readonly notices: readonly string[]
  /** A deny with this reason before a call, feedback to the model after it. */
  readonly blockingError?: string
  /** The turn's calls run; the query ends after them. */
  readonly stop?: { readonly reason: string }
  /** Some hooks were cut short by an abort. */
  readonly cancelled?: boolean
}

/** The outcome before a call. */
export interface PreToolUseOutcome extends HookOutcome {
  readonly verdict?: HookVerdict
  readonly updatedInput?: JsonObject
}

/** The outcome after a call that succeeded. */
export interface PostToolUseOutcome extends HookOutcome {
  readonly updatedOutput?: { readonly value: unknown }
}

/** The hooks around a tool call, as the executor knows them. A rejection is reported and counts as no opinion. */
export interface ToolHooks {
  preToolUse(call: CallView): Promise<PreToolUseOutcome>
  postToolUse(
    call: CallView & { readonly output: unknown; readonly durationMs: number },
  ): Promise<PostToolUseOutcome>
  postToolUseFailure(
    call: CallView & { readonly error: string; readonly isInterrupt: boolean; readonly durationMs: number },
  ): Promise<HookOutcome>
}
