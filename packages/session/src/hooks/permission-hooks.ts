import { setTimeout as sleep } from 'node:timers/promises'
import { createChildAbortController } from '@x/abort'
import { type CallView, withoutUndefined } from '@x/contract'
import type { HookResult } from '@x/hooks'
import type { AuthorizeOptions, CanUseToolCallback, PermissionAnswer, PermissionUpdate } from '@x/permissions'
import type { SessionHooks } from './session-hooks.ts'

type RequestPermission = NonNullable<AuthorizeOptions['requestPermission']>

/**
 * Asks the PermissionRequest hooks before a person is asked. Where nobody could be asked there is no request, and so no hook; but
 * for an agent, whose requests reach the main session.
 */
export function createRequestPermission({ run }: SessionHooks, hasPerson: boolean): RequestPermission {
  return async (call, { suggestions = [] }) => {
    if (!hasPerson && call.context.agent === undefined) return undefined
    const result = await run(
      'PermissionRequest',
      { ...describe(call), permission_suggestions: suggestions.map(({ update }) => ({ ...update })) },
      call.signal,
    )
    return result === undefined ? undefined : toAnswer(result)
  }
}

function toAnswer({
  outcome,
  reason = '',
  updatedInput,
  fields: { decision },
}: HookResult<'PermissionRequest'>): PermissionAnswer | undefined {
  if (outcome === 'deny') {
    const isOwnWord = decision?.behavior === 'deny'
    return { behavior: 'deny', message: reason, interrupt: isOwnWord && decision.interrupt === true }
  }
  if (decision?.behavior !== 'allow') return undefined
  return withoutUndefined({
    behavior: 'allow' as const,
    updatedInput: updatedInput ?? decision.updatedInput,
    // Each entry is judged where it is applied; what is no update changes nothing.
    updatedPermissions: decision.updatedPermissions as unknown as PermissionUpdate[] | undefined,
  })
}

function describe({ tool, input, context }: CallView) {
  return {
    cwd: context.cwd,
    ...(context.agent === undefined ? {} : { agent_id: context.agent.id, agent_type: context.agent.type }),
    tool_name: tool.name,
    tool_input: { ...input },
  }
}

/** How long a question may wait for its person before the Notification hooks hear of it. In milliseconds. */
const patienceMs = 6_000

/** Tells the Notification hooks of a question that nobody has answered for a while. */
export function notifyOfWaiting(canUseTool: CanUseToolCallback, hooks: SessionHooks): CanUseToolCallback {
  return async (name, input, context) => {
    using waiting = createChildAbortController(context.signal)
    void sleep(patienceMs, undefined, { signal: waiting.signal, ref: false })
      .then(() =>
        hooks.run('Notification', {
          message: `x needs your permission to use ${name}`,
          title: 'Permission needed',
          notification_type: 'permission_prompt',
        }),
      )
      .catch(() => undefined)
    try {
      return await canUseTool(name, input, context)
    } finally {
      waiting.abort()
    }
  }
}
