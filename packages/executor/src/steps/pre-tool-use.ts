import type { HookVerdict, PreToolUseOutcome, ToolHooks } from '@x/contract'
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
  const view = { ...viewOf(run), isOnlyCall: () => run.kit.hasOneCall }
  const outcome = await askHooks(run, 'PreToolUse', () => hooks.preToolUse(view))
  if (outcome === undefined || run.kit.rules.mustStop(run.call)) return
  const reason = denialOf(outcome)
  if (reason !== undefined)
    return denyCall(run, { message: reason, reason: { type: 'hook', detail: reason } })
  if (outcome.updatedInput !== undefined) await replaceInput(run, outcome.updatedInput)
  run.verdict = verdictOf(run, outcome)
}

/** Why the hooks deny the call; `undefined` if they do not. */
function denialOf({ blockingError, verdict }: PreToolUseOutcome): string | undefined {
  if (blockingError === undefined && verdict?.behavior !== 'deny') return undefined
  const texts = [blockingError, verdict?.reason].filter((text) => text !== undefined && text.trim() !== '')
  return texts[0] ?? 'A PreToolUse hook denied this call.'
}

/** Where a person has to answer, an allow alone is no answer; with a changed input it is. */
function verdictOf({ tool, isReplaced }: Run, { verdict }: PreToolUseOutcome): HookVerdict | undefined {
  const isAnswer = tool.requiresUserInteraction !== true || isReplaced
  if (verdict?.behavior === 'allow' && !isAnswer) return undefined
  return verdict && isReplaced ? { ...verdict, changedInput: true } : verdict
}
