import { type HookEventName, type HookOutput, type Hooks, isHookEventName } from '@x/hooks'

/** A hook in code: gives back what a command would print, or nothing. A throw is reported, never fatal. */
export type SessionHookCallback = (
  input: Readonly<Record<string, unknown>>,
  /** The call it is about, where there is one. */
  toolUseId: string | undefined,
  options: {
    /** Aborts when the answer no longer matters. */
    readonly signal: AbortSignal
  },
) => HookOutput | undefined | void | Promise<HookOutput | undefined | void>

/** Hooks in code that share a matcher. */
export interface HookCallbackGroup {
  /** As in a settings file. @default always */
  readonly matcher?: string
  /** The callbacks; all run at once. */
  readonly hooks: readonly SessionHookCallback[]
  /** Seconds each may take. @default 60 */
  readonly timeout?: number
}

/** Hooks in code by event. */
export type HookCallbacks = { readonly [Event in HookEventName]?: readonly HookCallbackGroup[] }

/**
 * Registers hooks in code; returns the undo.
 *
 * @throws TypeError for an unknown event, a matcher that cannot be read, and what is no function.
 */
export function registerCallbacks(hooks: Hooks, callbacks: HookCallbacks): () => void {
  const undo: (() => void)[] = []
  for (const [event, groups] of Object.entries(callbacks)) {
    if (!isHookEventName(event)) throw new TypeError(`hooks: ${event} is no event`)
    for (const group of groups ?? []) undo.push(...registerGroup(hooks, event, group))
  }
  return () => {
    for (const leave of undo.splice(0)) leave()
  }
}

function registerGroup(
  hooks: Hooks,
  event: HookEventName,
  { matcher, timeout = 60, hooks: callbacks }: HookCallbackGroup,
): readonly (() => void)[] {
  const options = { ...(matcher === undefined ? {} : { matcher }), timeoutMs: timeout * 1_000 }
  return callbacks.map((callback) =>
    hooks.on(
      event,
      { ...options, ...(callback.name === '' ? {} : { name: callback.name }) },
      (input, { signal }) => {
        const id: unknown = Reflect.get(input, 'tool_use_id')
        return callback(input, typeof id === 'string' ? id : undefined, { signal })
      },
    ),
  )
}
