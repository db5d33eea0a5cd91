import type { Authorize, PermissionAllow, PermissionDecision } from '@x/contract'
import { type Run, viewOf } from '../run.ts'
import { describeError } from '../text.ts'
import { deferCall } from './defer-call.ts'
import { denyCall } from './deny-call.ts'
import { replaceInput } from './replace-input.ts'

/** Asks whether the call may run. In doubt it may not. */
export async function authorizeCall(run: Run): Promise<void> {
  const hook = run.verdict
  const decision = await decide(run, hook === undefined ? viewOf(run) : { ...viewOf(run), hook })
  if (run.kit.rules.mustStop(run.call)) return
  if (decision.behavior === 'deny')
    return decision.isDeferral === true ? deferCall(run, decision) : denyCall(run, decision)
  keepFeedback(run, decision)
  if (decision.updatedInput !== undefined) await replaceInput(run, decision.updatedInput)
}

/** The decision of the host's permission check; a check that breaks denies. */
export async function decide(run: Run, view: Parameters<Authorize>[0]): Promise<PermissionDecision> {
  try {
    const decision: unknown = await run.kit.options.authorize(view)
    return isDecision(decision) ? decision : refusal('it gave no decision')
  } catch (error) {
    return refusal(describeError(error))
  }
}

/** What the user said or showed when approving goes to the model with the results. */
function keepFeedback(run: Run, { feedback, content }: PermissionAllow): void {
  const text =
    feedback === undefined || feedback.trim() === '' ? [] : [{ type: 'text' as const, text: feedback }]
  const blocks = [...text, ...(content ?? [])]
  if (blocks.length > 0) run.attached.push({ role: 'user', content: blocks })
}

function isDecision(value: unknown): value is PermissionDecision {
  if (typeof value !== 'object' || value === null || !('behavior' in value)) return false
  return (
    value.behavior === 'allow' ||
    (value.behavior === 'deny' && 'message' in value && typeof value.message === 'string')
  )
}

function refusal(detail: string): PermissionDecision {
  const message = `The permission check failed, so the call did not run: ${detail}`
  return { behavior: 'deny', message, reason: { type: 'safety', detail: message } }
}
