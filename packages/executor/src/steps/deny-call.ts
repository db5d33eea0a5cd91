import type { DecisionReason } from '@x/contract'
import { errorResult, rejectedText } from '../answers.ts'
import { type Run, resultEvent } from '../run.ts'

/** What a denied call is answered with. */
export interface Denial {
  /** For the model. Empty: that the user rejected the call. */
  readonly message: string
  /** The user's bare No: it takes no siblings along, it ends the query. */
  readonly interrupt?: boolean | undefined
  /** What decided, for people; a host may forget it. */
  readonly reason?: DecisionReason | undefined
}

/** Answers a call that may not run. */
export function denyCall(run: Run, { message, interrupt, reason }: Denial): void {
  const { call, kit } = run
  const text = message.trim() === '' ? rejectedText : message
  const event = {
    ...resultEvent(run, 'denied', errorResult(call.id, text)),
    denial: { toolName: run.tool.name, input: run.view, message: text, ...(isReason(reason) && { reason }) },
  }
  if (interrupt === true) return kit.reject(run, event)
  kit.failed(run)
  kit.complete(call, event)
}

function isReason(value: DecisionReason | undefined): value is DecisionReason {
  return typeof value?.type === 'string' && typeof value.detail === 'string'
}
