import { randomUUID } from 'node:crypto'
import { withoutUndefined } from '@x/contract'
import { type CanUseToolCallback, isPermissionAnswer, type PermissionAnswer } from '@x/permissions'
import type { CallHostHook } from '@x/session'
import { field } from './field.ts'

/** Asks the host of a stream-json session about calls, over the control channel. */
export interface HostAsker {
  readonly canUseTool: CanUseToolCallback
  /** Calls a hook of the host. */
  readonly callHook: CallHostHook
  /** Takes a `control_response` of the host in; one that nobody waits for is dropped. */
  answer(record: unknown): void
  /** No answer will come any more: whoever waits or asks later gets an error, which is a deny. */
  close(): void
}

/** Makes the asker; `write` sends one record to the host. */
export function createHostAsker(write: (record: object) => Promise<void>): HostAsker {
  const waiting = new Map<string, (answer: unknown) => void>()
  let isClosed = false

  /** Sends one request; resolves with the response, which may be an error, also when nobody waits any more. */
  async function ask(request: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
    if (isClosed) return closed
    const id = randomUUID()
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const withdraw = (): void => {
      if (!waiting.delete(id)) return
      void write({ type: 'control_cancel_request', request_id: id })
      resolve({ subtype: 'error', error: 'the question was withdrawn' })
    }
    waiting.set(id, resolve)
    signal.addEventListener('abort', withdraw, { once: true })
    try {
      await write({ type: 'control_request', request_id: id, request })
      return await promise
    } finally {
      waiting.delete(id)
      signal.removeEventListener('abort', withdraw)
    }
  }

  return {
    canUseTool: async (toolName, input, context) =>
      toAnswer(await ask(toRequest(toolName, input, context), context.signal)),
    callHook: async (callbackId, input, { toolUseId, signal }) =>
      answerOf(
        await ask(
          { subtype: 'hook_callback', callback_id: callbackId, input, tool_use_id: toolUseId ?? null },
          signal,
        ),
      ),
    answer(record) {
      const response = field(record, 'response')
      const id = field(response, 'request_id')
      if (typeof id !== 'string') return
      waiting.get(id)?.(response)
      waiting.delete(id)
    },
    close() {
      isClosed = true
      for (const resolve of waiting.values()) resolve(closed)
      waiting.clear()
    },
  }
}

const closed = { subtype: 'error', error: 'the host closed its input' }

function toRequest(
  toolName: string,
  input: unknown,
  context: Parameters<CanUseToolCallback>[2],
): Readonly<Record<string, unknown>> {
  return withoutUndefined({
    subtype: 'can_use_tool',
    tool_name: toolName,
    input,
    tool_use_id: context.toolUseID,
    agent_id: context.agentID,
    permission_suggestions: context.suggestions ?? [],
    blocked_path: context.blockedPath ?? null,
    decision_reason: context.decisionReason,
  })
}

function toAnswer(response: unknown): PermissionAnswer {
  const answer = answerOf(response)
  if (isPermissionAnswer(answer)) return answer
  throw new TypeError('the host answered in no known shape')
}

function answerOf(response: unknown): unknown {
  if (field(response, 'subtype') === 'success') return field(response, 'response')
  const error = field(response, 'error')
  throw new Error(`the host did not answer: ${typeof error === 'string' ? error : 'no reason given'}`)
}
