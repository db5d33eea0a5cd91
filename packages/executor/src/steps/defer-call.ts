import { errorResult } from '../answers.ts'
import { type Run, resultEvent } from '../run.ts'

/** Ends a call that a hook puts off: nothing of it ran, and the model is told nothing of it. */
export function deferCall(run: Run, { message }: { readonly message: string }): void {
  const { call, kit } = run
  kit.complete(call, { ...resultEvent(run, 'deferred', errorResult(call.id, message)), attached: [] })
}
