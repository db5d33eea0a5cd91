import type { EffortLevel, SessionRecord, ToolHooks } from '@x/contract'
import type { AsyncQueue } from '@x/executor'
import { toToolHooks } from '@x/hooks'
import { supportedEffort } from '@x/model-anthropic'
import type { SessionMemory } from '../memory/session-memory.ts'
import type { QueryOptions } from '../session-options.ts'
import { type SessionHooks, tellOfCancelled } from './session-hooks.ts'
import type { WatchedPlaces } from './watched-places.ts'

/**
 * The hooks around a call. A folder that a command moved to is told of before the next call in it; instructions for a file that was
 * read come with it. A hook may put a call of the main conversation off where nobody sits by.
 */
export function createToolHooks({
  hooks: { hooks },
  places,
  memory,
  news,
  options,
  effort,
  permissionMode,
}: {
  readonly hooks: SessionHooks
  readonly places: WatchedPlaces
  readonly memory: SessionMemory
  readonly news: AsyncQueue<SessionRecord>
  readonly options: Pick<QueryOptions, 'canUseTool' | 'permissionPromptToolName' | 'terminal'>
  /** What was asked for; a model may know less. */
  readonly effort?: EffortLevel | undefined
  /** The agent's whose calls they are. @default the session's */
  readonly permissionMode?: string
}): ToolHooks {
  const isHeadless = options.canUseTool === undefined && options.permissionPromptToolName === undefined
  const around = toToolHooks(hooks, {
    ...(permissionMode !== undefined && { permissionMode }),
    effort: ({ context }) => supportedEffort(context.options.model, effort),
    mayDefer: ({ context }) => isHeadless && context.agent === undefined,
    onResult(_, result) {
      for (const sequence of result.terminalSequences) options.terminal?.(sequence)
      tellOfCancelled(result, (record) => news.push(record))
    },
  })
  return {
    ...around,
    async preToolUse(call) {
      if (call.context.agent === undefined) await places.moveTo(call.context.cwd, call.signal)
      return around.preToolUse(call)
    },
    async postToolUse(call) {
      const outcome = await around.postToolUse(call)
      const { file_path: path } = call.input
      if (call.tool.name !== 'Read' || typeof path !== 'string') return outcome
      const instructions = await memory.forRead(path, call.signal)
      return instructions.length === 0
        ? outcome
        : { ...outcome, context: [...outcome.context, ...instructions] }
    },
  }
}
