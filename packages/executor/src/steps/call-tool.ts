import type { CanUseTool, JsonObject, PermissionDecision, Tool, ToolResult } from '@x/contract'
import { errorResult } from '../answers.ts'
import type { Run } from '../run.ts'
import { describeError } from '../text.ts'
import { decide } from './authorize.ts'

/** Does the work. Whatever the tool throws becomes an error result. */
export async function callTool(run: Run): Promise<void> {
  const { tool, call, kit } = run
  kit.entered(run)
  const startedMs = kit.clock.now()
  try {
    const returned = await tool.call(
      run.input,
      run.context,
      canUseTool(run),
      call.parentMessage,
      progress(run),
    )
    run.returned = checked(returned)
    run.isFailure = run.returned.isError === true
    run.lateEnd = 'returned'
  } catch (error) {
    const text = describeError(error)
    run.lateEnd = `threw: ${text}`
    run.isFailure = true
    run.result = errorResult(call.id, text.toWellFormed())
  }
  run.hasReturned = true
  run.durationMs = kit.clock.now() - startedMs
}

/** The nested permission check: the host's own, for as long as the call is wanted. */
function canUseTool(run: Run): CanUseTool {
  return async (tool: Tool, input: JsonObject): Promise<PermissionDecision> => {
    if (run.kit.rules.mustStop(run.call)) return cancelled
    return decide(run, {
      tool,
      toolUseId: run.call.id,
      input,
      context: run.context,
      signal: run.control.controller.signal,
    })
  }
}

function progress(run: Run): (data: unknown) => void {
  return (data) => {
    if (!run.hasReturned && !run.kit.rules.mustStop(run.call)) run.kit.progress(run.call, data)
  }
}

/** Reads every field once, so that a getter cannot throw later. */
function checked(returned: unknown): ToolResult<unknown> {
  if (typeof returned !== 'object' || returned === null) throw new TypeError('The tool gave back no result.')
  // A tool's result; the type promises no more than these five fields.
  const { data, isError, newMessages, contextModifier, mcpMeta } = returned as ToolResult<unknown>
  return {
    data,
    ...(isError === true && { isError }),
    ...(newMessages !== undefined && { newMessages: [...newMessages] }),
    ...(contextModifier !== undefined && { contextModifier }),
    ...(mcpMeta !== undefined && { mcpMeta }),
  }
}

const cancelled: PermissionDecision = {
  behavior: 'deny',
  message: 'The call that asks has been cancelled.',
  reason: { type: 'safety', detail: 'cancelled' },
}
