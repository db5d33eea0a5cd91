import { errorResult, wrapError } from '../answers.ts'
import { type Run, resultEvent } from '../run.ts'

/** An input that did not parse is answered now, at the call's turn. It is no failure: nothing was tried. */
export function checkInput(run: Run): void {
  const { call, kit } = run
  if (call.parsed.ok) return
  kit.complete(call, resultEvent(run, 'invalid-input', errorResult(call.id, wrapError(call.parsed.message))))
}
