import type { SessionRecord, ToolHooks } from '@x/contract'
import type { AsyncQueue } from '@x/executor'
import { toToolHooks } from '@x/hooks'
import { type SessionHooks, tellOfCancelled } from './session-hooks.ts'
import type { WatchedPlaces } from './watched-places.ts'

/** The hooks around a call. A folder that a command moved to is told of before the next call in it. */
export function createToolHooks({
  hooks: { hooks },
  places,
  news,
}: {
  readonly hooks: SessionHooks
  readonly places: WatchedPlaces
  readonly news: AsyncQueue<SessionRecord>
}): ToolHooks {
  const around = toToolHooks(hooks, {
    onResult: (_, result) => tellOfCancelled(result, (record) => news.push(record)),
  })
  return {
    ...around,
    async preToolUse(call) {
      if (call.context.agent === undefined) await places.moveTo(call.context.cwd, call.signal)
      return around.preToolUse(call)
    },
  }
}
