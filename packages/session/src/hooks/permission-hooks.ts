import { setTimeout as sleep } from 'node:timers/promises'
import { createChildAbortController } from '@x/abort'
import type { CallView } from '@x/contract'
import type { AuthorizeOptions, CanUseToolCallback, PermissionUpdate } from '@x/permissions'
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
    if (result?.outcome === 'deny') return { behavior: 'deny', message: result.reason ?? '' }
    const { decision } = result?.fields ?? {}
    if (decision === undefined) return undefined
    if (decision.behavior === 'deny') {
      const { message = '', interrupt = false } = decision
      return { behavior: 'deny', message, interrupt }
    }
    const updatedInput = result?.updatedInput ?? decision.updatedInput
    return {
      behavior: 'allow',
      ...(updatedInput === undefined ? {} : { updatedInput }),
      // Each entry is judged where it is applied; what is no update changes nothing.
      ...(decision.updatedPermissions === undefined
        ? {}
        : { updatedPermissions: decision.updatedPermissions as unknown as PermissionUpdate[] }),
    }
  }
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
