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
  readonly stop?: {
    /** For the user. */
    readonly reason: string
  }
  /** Some hooks were cut short by an abort. */
  readonly cancelled?: boolean
}

/** The outcome before a call. */
export interface PreToolUseOutcome extends HookOutcome {
  /** What the hooks think of the call; absent: nothing. */
  readonly verdict?: HookVerdict
  /** Takes the place of the input; parsed and judged anew. */
  readonly updatedInput?: JsonObject
}

/** The outcome after a call that succeeded. */
export interface PostToolUseOutcome extends HookOutcome {
  /** Takes the place of the output; boxed, as any value may. */
  readonly updatedOutput?: {
    /** The new output. */
    readonly value: unknown
  }
}

/** The hooks around a tool call, as the executor knows them. A rejection is reported and counts as no opinion. */
export interface ToolHooks {
  /**
   * Runs before the permission check. `isOnlyCall` resolves as soon as it is known whether the message makes no other call, at the
   * latest when the message has ended or the call is cancelled; it never rejects.
   */
  preToolUse(call: CallView & { readonly isOnlyCall?: () => Promise<boolean> }): Promise<PreToolUseOutcome>
  /** Runs after a call that succeeded, before its output is cut to size. */
  postToolUse(
    call: CallView & { readonly output: unknown; readonly durationMs: number },
  ): Promise<PostToolUseOutcome>
  /** Runs after a call that failed and was not cancelled. */
  postToolUseFailure(
    call: CallView & { readonly error: string; readonly isInterrupt: boolean; readonly durationMs: number },
  ): Promise<HookOutcome>
}
