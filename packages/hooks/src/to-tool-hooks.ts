import type { CallView, HookOutcome, HookVerdict, JsonObject, Tool, ToolHooks } from '@x/contract'
import type { Hooks } from './create-hooks.ts'
import type { CommonHookInput } from './events/table.ts'
import type { HookResult } from './hook-result.ts'

/** How hooks are put around calls. */
export interface ToToolHooksOptions {
  /** Told what the hooks of a call came to: who rewrote what, which handlers ran. Must not throw. */
  readonly onResult?: (toolUseId: string, result: HookResult) => void
  /** Whether a hook may put this call off, if it is the only one of its message. Must not throw. @default no call */
  readonly mayDefer?: (call: CallView) => boolean
  /** How hard the model of a call thinks; undefined where it knows no levels. Must not throw. @default not known */
  readonly effort?: (call: CallView) => string | undefined
  /** The permission mode that these calls meet, where it is not the session's: an agent has its own. @default the session's */
  readonly permissionMode?: string
}

/** Makes the hooks that an executor knows of hooks of a configuration. */
export function toToolHooks(hooks: Hooks, options: ToToolHooksOptions = {}): ToolHooks {
  const { onResult, mayDefer = () => false, effort = () => undefined, permissionMode } = options
  const told = <Result extends HookResult>(call: CallView, result: Result): Result => {
    onResult?.(call.toolUseId, result)
    return result
  }
  const toInput = (call: CallView): ToolCallInput => describeCall(call, effort(call), permissionMode)
  return {
    async preToolUse(call) {
      if (!hooks.has('PreToolUse')) return nothing
      const isGranted = async (): Promise<boolean> => mayDefer(call) && (await call.isOnlyCall?.()) === true
      const options = { signal: call.signal, mayDefer: isGranted }
      const result = told(call, await hooks.run('PreToolUse', toInput(call), options))
      const { updatedInput } = result
      const verdict = toVerdict(result)
      return {
        ...toOutcome(result, []),
        ...(verdict !== undefined && { verdict }),
        ...(updatedInput !== undefined && { updatedInput: toJsonObject(updatedInput) }),
      }
    },
    async postToolUse(call) {
      if (!hooks.has('PostToolUse')) return nothing
      const input = { ...toInput(call), tool_response: call.output, duration_ms: call.durationMs }
      const result = told(call, await hooks.run('PostToolUse', input, { signal: call.signal }))
      const { updatedOutput } = result
      const fits = updatedOutput === undefined || mayReplace(call, updatedOutput.value)
      const refusal = fits
        ? []
        : [`A PostToolUse hook gave an output that does not fit ${call.tool.name}; the original stays.`]
      return {
        ...toOutcome(result, refusal),
        ...(result.outcome === 'block' && { blockingError: result.reason ?? '' }),
        ...(fits && updatedOutput !== undefined && { updatedOutput }),
      }
    },
    async postToolUseFailure(call) {
      if (!hooks.has('PostToolUseFailure')) return nothing
      const { error, isInterrupt, durationMs } = call
      const input = { ...toInput(call), error, is_interrupt: isInterrupt, duration_ms: durationMs }
      const result = told(call, await hooks.run('PostToolUseFailure', input, { signal: call.signal }))
      return {
        ...toOutcome(result, []),
        ...(result.outcome === 'block' && { blockingError: result.reason ?? '' }),
      }
    },
  }
}

const nothing: HookOutcome = { context: [], notices: [] }

type ToolCallInput = CommonHookInput & {
  readonly [name: string]: unknown
  readonly tool_name: string
  readonly tool_input: Record<string, unknown>
  readonly tool_use_id: string
  readonly mcp_server?: NonNullable<Tool['mcpServer']>
}

function describeCall(
  { tool, toolUseId, input, context }: CallView,
  level: string | undefined,
  mode: string | undefined,
): ToolCallInput {
  return {
    cwd: context.cwd,
    ...(mode !== undefined && { permission_mode: mode }),
    ...(context.agent !== undefined && { agent_id: context.agent.id, agent_type: context.agent.type }),
    tool_name: tool.name,
    tool_input: { ...input },
    tool_use_id: toolUseId,
    ...(tool.mcpServer !== undefined && { mcp_server: { ...tool.mcpServer } }),
    ...(level !== undefined && { effort: { level } }),
  }
}

function toOutcome(result: HookResult, further: readonly string[]): HookOutcome {
  const { context, systemMessages, errors, stop, isCancelled, handlers } = result
  const cancelled = handlers.filter(({ outcome }) => outcome === 'cancelled')
  const notes = cancelled.map(({ name, label }) => `${name} hook cancelled: [${label}]`)
  return {
    context,
    notices: [...systemMessages, ...errors, ...notes, ...further],
    ...(stop !== undefined && { stop }),
    ...(isCancelled && { cancelled: true }),
  }
}

function toVerdict({ outcome, reason, updatedInput }: HookResult): HookVerdict | undefined {
  if (outcome === 'none' || outcome === 'block') return undefined
  return {
    behavior: outcome,
    ...(reason !== undefined && { reason }),
    ...(updatedInput !== undefined && { changedInput: true }),
  }
}

/** The output of an MCP tool may be anything; that of another tool stays of its kind, field by field. */
function mayReplace({ tool, output }: CallView & { readonly output: unknown }, value: unknown): boolean {
  if (tool.name.startsWith('mcp__')) return true
  if (kindOf(output) !== kindOf(value)) return false
  if (kindOf(output) !== 'object') return true
  const before = new Map(Object.entries(Object(output)))
  const after = Object.entries(Object(value))
  const shared = after.filter(([key]) => before.has(key))
  return (
    (before.size === 0 || shared.length > 0) &&
    shared.every(([key, field]) => kindOf(before.get(key)) === kindOf(field))
  )
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function toJsonObject(value: Readonly<Record<string, unknown>>): JsonObject {
  return value
}
