import { errorResult, wrapError } from '../answers.ts'
import { type Run, resultEvent } from '../run.ts'
import { describeError } from '../text.ts'

/** Asks the tool whether it can do anything with these values. */
export function validateInput(run: Run): Promise<void> | undefined {
  return run.tool.validateInput === undefined ? undefined : validate(run)
}

async function validate(run: Run): Promise<void> {
  const message = await complaint(run)
  if (message !== undefined && !run.kit.rules.mustStop(run.call)) refuseInput(run, message)
}

/** Answers a call whose values are no good. It counts as a failure. */
export function refuseInput(run: Run, message: string): void {
  const { call, kit } = run
  kit.failed(run)
  kit.complete(call, resultEvent(run, 'invalid-input', errorResult(call.id, wrapError(message))))
}

async function complaint({ tool, input, context }: Run): Promise<string | undefined> {
  try {
    const verdict = await tool.validateInput?.(input, context)
    return verdict === undefined || verdict.ok ? undefined : verdict.message || 'The input is not valid.'
  } catch (error) {
    return `The input could not be checked: ${describeError(error)}`
  }
}
