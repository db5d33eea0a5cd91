import type { CallView, JsonObject, PermissionDecision } from '@x/contract'

/** What a permission callback is told besides tool and input. */
export interface CanUseToolContext {
  /** Aborts when the question has become pointless. */
  readonly signal: AbortSignal
  readonly toolUseID: string
  /** The subagent that asks; absent in the main session. */
  readonly agentID?: string
  /** Why the question is asked. */
  readonly decisionReason?: string
}

/** The answer of a permission callback. */
export type PermissionResult =
  | {
      readonly behavior: 'allow'
      /** The input to run with. @default the input that was asked about */
      readonly updatedInput?: JsonObject
      /** Told to the model with the result. */
      readonly feedback?: string
    }
  | {
      readonly behavior: 'deny'
      readonly message: string
      /** A bare No: the query ends. @default false */
      readonly interrupt?: boolean
    }

/** Asks the host whether a call may run. Has no time limit; a rejection is a deny. */
export type CanUseToolCallback = (
  toolName: string,
  input: JsonObject,
  context: CanUseToolContext,
) => Promise<PermissionResult>

/** Puts one question to the host and turns the answer into a decision; an answer of no known shape is a deny. */
export async function askHost(
  callback: CanUseToolCallback,
  call: CallView,
  decisionReason: string,
): Promise<PermissionDecision> {
  const { tool, input, context, signal, toolUseId } = call
  const agent = context.agent === undefined ? {} : { agentID: context.agent.id }
  try {
    const asking = callback(tool.name, input, { signal, toolUseID: toolUseId, decisionReason, ...agent })
    const answer = await untilPointless(signal, asking)
    return toDecision(answer)
  } catch (error) {
    const detail = `the permission callback failed: ${error instanceof Error ? error.message : String(error)}`
    return { behavior: 'deny', message: `Permission denied: ${detail}.`, reason: { type: 'tool', detail } }
  }
}

/** A host may leave its question open when the call is gone: nobody waits for that. */
async function untilPointless(
  signal: AbortSignal,
  asking: Promise<PermissionResult>,
): Promise<PermissionResult> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const leave = (): void => reject(signal.reason)
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  try {
    return await Promise.race([asking, aborted])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

function toDecision(answer: PermissionResult): PermissionDecision {
  switch (answer.behavior) {
    case 'allow': {
      const { updatedInput, feedback } = answer
      return {
        behavior: 'allow',
        ...(updatedInput === undefined ? {} : { updatedInput }),
        ...(feedback === undefined ? {} : { feedback }),
        reason: { type: 'user', detail: 'allowed when asked' },
      }
    }
    case 'deny': {
      const interrupt = answer.interrupt === true
      return {
        behavior: 'deny',
        message: answer.message,
        interrupt,
        reason: { type: 'user', detail: 'denied when asked' },
      }
    }
    default:
      throw new TypeError("it must answer { behavior: 'allow' } or { behavior: 'deny', message }")
  }
}
