import type { ToolHooks } from '@x/contract'
import { type Run, viewOf } from '../run.ts'
import { denyCall } from './deny-call.ts'
import { askHooks } from './hook-outcome.ts'
import { replaceInput } from './replace-input.ts'

/** Lets hooks judge and rewrite the call. Their deny is final; anything else they say is judged by the permissions. */
export function preToolUse(run: Run): Promise<void> | undefined {
  const { hooks } = run.kit.options
  return hooks === undefined ? undefined : ask(run, hooks)
}

async function ask(run: Run, hooks: ToolHooks): Promise<void> {
  const outcome = await askHooks(run, 'PreToolUse', () => hooks.preToolUse(viewOf(run)))
  if (outcome === undefined || run.kit.rules.mustStop(run.call)) return
  const { verdict, blockingError, updatedInput } = outcome
  if (blockingError !== undefined || verdict?.behavior === 'deny') {
    return denyCall(run, { message: firstText(blockingError, verdict?.reason) })
  }
  run.verdict = verdict
  if (updatedInput !== undefined) await replaceInput(run, updatedInput)
}

function firstText(...texts: readonly (string | undefined)[]): string {
  return (
    texts.find((text) => text !== undefined && text.trim() !== '') ?? 'A PreToolUse hook denied this call.'
  )
}
