import type { CommonHookInput, HookEventName, HookInput } from './events/table.ts'
import type { HookOutput } from './hook-answer.ts'
import type { Matcher } from './matcher.ts'

/** What a callback is told besides the input. */
export interface HookCallbackContext<Event extends HookEventName = HookEventName> {
  /** The event. */
  readonly event: Event
  /** Aborts when the answer no longer matters. */
  readonly signal: AbortSignal
}

/** What a callback is told: the common fields are filled in. */
export type FullHookInput<Event extends HookEventName> = HookInput<Event> &
  Required<Pick<CommonHookInput, 'session_id' | 'transcript_path' | 'cwd'>> & {
    /** The event. */
    readonly hook_event_name: Event
  }

/**
 * A hook in code. Gives back what a command would print, or nothing. All hooks of an event run at once and are awaited; what it throws
 * is reported.
 */
export type HookCallback<Event extends HookEventName> = (
  input: FullHookInput<Event>,
  context: HookCallbackContext<Event>,
) => HookOutput<Event> | undefined | void | Promise<HookOutput<Event> | undefined | void>

/** When a callback is called. */
export interface CallbackOptions {
  /** As in a settings file. @default always */
  readonly matcher?: string
  /** Milliseconds it may take. A guard (PreToolUse, UserPromptSubmit, UserPromptExpansion) that is late blocks. @default 60_000 */
  readonly timeoutMs?: number
  /** What messages call it. @default the name of the function */
  readonly name?: string
}

/** A callback that is registered. */
export interface RegisteredCallback {
  /** The event it waits for. */
  readonly event: HookEventName
  /** The matcher as written. */
  readonly matcher: string | undefined
  /** The matcher, ready. */
  readonly matches: Matcher
  /** Calls it with a copy of the input. */
  readonly call: (input: Readonly<Record<string, unknown>>, context: HookCallbackContext) => unknown
  /** Milliseconds it may take. */
  readonly timeoutMs: number
  /** What messages call it. */
  readonly label: string
}
