import type { ToolHooks } from '@x/contract'
import { toToolHooks } from '@x/hooks'
import type { SessionHooks } from './session-hooks.ts'
import type { WatchedPlaces } from './watched-places.ts'

/** The hooks around a call. A folder that a command moved to is told of before the next call in it. */
export function createToolHooks({
  hooks: { hooks },
  places,
}: {
  readonly hooks: SessionHooks
  readonly places: WatchedPlaces
}): ToolHooks {
  const around = toToolHooks(hooks)
  return {
    ...around,
    async preToolUse(call) {
      if (call.context.agent === undefined) await places.moveTo(call.context.cwd, call.signal)
      return around.preToolUse(call)
    },
  }
}
