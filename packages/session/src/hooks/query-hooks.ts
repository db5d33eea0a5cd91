import type { HookOutcome, TaskRegistry } from '@x/contract'
import type { HookResult } from '@x/hooks'
import type { AfterCalls, StopHook } from '@x/loop'
import { isRecord } from '../is-record.ts'
import type { SessionHooks } from './session-hooks.ts'

/** Runs the Stop hooks when the model has finished: a block sends it on. */
export function createStopHook({ run }: SessionHooks, tasks: TaskRegistry): StopHook {
  return async ({ isActive, lastText, signal }) => {
    const input = {
      stop_hook_active: isActive,
      last_assistant_message: lastText,
      background_tasks: describeTasks(tasks),
      session_crons: [],
    }
    const result = await run('Stop', input, signal)
    return result === undefined ? undefined : toOutcome(result, 'Stop hook feedback')
  }
}

/** Runs the PostToolBatch hooks when all calls of a message are answered: a block ends the query. */
export function createAfterCalls({ run }: SessionHooks): AfterCalls {
  return async ({ calls, signal }) => {
    const input = {
      tool_calls: calls.map(({ call, result }) => ({
        tool_name: call.name,
        tool_input: isRecord(call.input) ? call.input : {},
        tool_use_id: call.id,
        tool_response: result.content,
      })),
    }
    const result = await run('PostToolBatch', input, signal)
    return result === undefined ? undefined : toOutcome(result, 'PostToolBatch hook')
  }
}

/** What it means for a conversation; what hooks had to say to the user is told already. */
export function toOutcome({ outcome, reason, context, stop }: HookResult, title: string): HookOutcome {
  return {
    context: context.map((text) => `${title}: ${text}`),
    notices: [],
    ...(outcome === 'block' && reason !== undefined ? { blockingError: reason } : {}),
    ...(stop === undefined ? {} : { stop }),
  }
}

/** Texts are cut so that a hook's input stays small. */
const maxText = 1_000

/** The background work that goes on, as hooks are told of it. */
export function describeTasks(tasks: TaskRegistry): Record<string, unknown>[] {
  return tasks
    .list()
    .filter(({ end }) => end === undefined)
    .map(({ task: { id, type, description, command, agent } }) => ({
      id,
      type,
      status: 'running',
      description: description.slice(0, maxText),
      ...(command === undefined ? {} : { command: command.slice(0, maxText) }),
      ...(agent && { agent_type: agent.type }),
    }))
}
