import type { ToolHooks } from '@x/contract'
import { type Run, viewOf } from '../run.ts'
import { askHooks, toReminder } from './hook-outcome.ts'

/** Hooks see what a call gave back before anybody else does, and may put something else in its place. */
export function postToolUse(run: Run): Promise<void> | undefined {
  const { hooks } = run.kit.options
  return run.isFailure || hooks === undefined ? undefined : ask(run, hooks)
}

async function ask(run: Run, hooks: ToolHooks): Promise<void> {
  const { returned, durationMs } = run
  if (returned === undefined) return
  const outcome = await askHooks(run, 'PostToolUse', () =>
    hooks.postToolUse({ ...viewOf(run), output: returned.data, durationMs }),
  )
  if (outcome === undefined) return
  if (outcome.blockingError !== undefined) run.attached.push(toReminder(outcome.blockingError))
  if (outcome.updatedOutput !== undefined) run.returned = { ...returned, data: outcome.updatedOutput.value }
}
