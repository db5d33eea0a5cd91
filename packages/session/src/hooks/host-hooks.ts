import { z } from 'zod'
import type { HookCallbackGroup, HookCallbacks, SessionHookCallback } from './hook-callbacks.ts'

/** Calls one hook of the host by the id that it gave; resolves with what the hook says. */
export type CallHostHook = (
  callbackId: string,
  input: Readonly<Record<string, unknown>>,
  options: {
    /** The call it is about, where there is one. */
    readonly toolUseId: string | undefined
    /** Aborts when the answer no longer matters. */
    readonly signal: AbortSignal
  },
) => Promise<unknown>

const groups = z.array(
  z.looseObject({
    matcher: z.string().nullable().optional(),
    hookCallbackIds: z.array(z.string()),
    timeout: z.number().positive().nullable().optional(),
  }),
)

/**
 * Turns the hooks of an `initialize` request into callbacks that ask the host.
 *
 * @throws Error for an event whose groups cannot be read.
 */
export function readHostHooks(hooks: Readonly<Record<string, unknown>>, call: CallHostHook): HookCallbacks {
  const entries = Object.entries(hooks).map(([event, value]): [string, HookCallbackGroup[]] => {
    const parsed = groups.nullable().safeParse(value)
    if (!parsed.success) {
      throw new Error(`initialize: hooks.${event} must be a list of { matcher?, hookCallbackIds, timeout? }`)
    }
    return [event, (parsed.data ?? []).map((group) => toGroup(group, call))]
  })
  // Whether an event exists is checked where the callbacks are registered.
  return Object.fromEntries(entries) as HookCallbacks
}

function toGroup(
  { matcher, hookCallbackIds, timeout }: z.output<typeof groups>[number],
  call: CallHostHook,
): HookCallbackGroup {
  return {
    ...(typeof matcher === 'string' ? { matcher } : {}),
    ...(typeof timeout === 'number' ? { timeout } : {}),
    hooks: hookCallbackIds.map(
      (id): SessionHookCallback =>
        async (input, toolUseId, { signal }) => {
          const answer = await call(id, input, { toolUseId, signal })
          // What it is, the hooks judge as they judge what a command prints.
          return answer as Awaited<ReturnType<SessionHookCallback>>
        },
    ),
  }
}
