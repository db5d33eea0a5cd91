import type { ToolHooks } from '@x/contract'
import { textOf } from '../result-content.ts'
import { type Run, viewOf } from '../run.ts'
import { cutMiddle } from '../text.ts'
import { askHooks, toReminder } from './hook-outcome.ts'
import { toResult } from './map-output.ts'

/** A call that failed takes its siblings along first; then hooks may add to the error. */
export function postToolUseFailure(run: Run): Promise<void> | undefined {
  if (!run.isFailure) return undefined
  run.result ??= toResult(run)
  run.kit.failed(run)
  const { hooks } = run.kit.options
  return hooks === undefined ? undefined : ask(run, hooks)
}

/** What hooks are told of a failure, in characters. */
const MAX_ERROR_CHARS = 30_000

async function ask(run: Run, hooks: ToolHooks): Promise<void> {
  const text = run.result === undefined ? '' : textOf(run.result)
  const error = cutMiddle(text, MAX_ERROR_CHARS, (missing) => `... [${missing} characters truncated] ...`)
  const outcome = await askHooks(run, 'PostToolUseFailure', () =>
    hooks.postToolUseFailure({ ...viewOf(run), error, isInterrupt: false, durationMs: run.durationMs }),
  )
  if (outcome?.blockingError !== undefined) run.attached.push(toReminder(outcome.blockingError))
}
