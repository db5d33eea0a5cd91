import type { JsonObject } from '@x/contract'
import { copyData } from '../copy-data.ts'
import { type Run, viewOf } from '../run.ts'

/** Makes the copy of the input that hooks and permissions see. `call()` keeps the model's own words. */
export function backfill(run: Run): void {
  fillView(run)
  const { authorize } = run.kit.options
  if (authorize.prepare === undefined) return
  try {
    // Slow work for the decision (classifying a command, say) starts now, beside the hooks.
    authorize.prepare(viewOf(run))
  } catch {
    // It is only an advance on the decision, which comes anyway.
  }
}

/** Fills in the derived fields of the input as it is now. */
export function fillView(run: Run): void {
  const copy = copyData(run.input)
  // The input of a tool is a JSON object; its schema has just said so.
  run.view = (run.tool.backfillInput?.(copy, run.context) ?? copy) as JsonObject
}
