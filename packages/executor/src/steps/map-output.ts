import type { ToolResultBlock } from '@x/contract'
import { errorResult, wrapError } from '../answers.ts'
import { soundContent } from '../result-content.ts'
import type { Run } from '../run.ts'
import { describeError } from '../text.ts'

/** Says the output to the model, in the tool's words. */
export function mapOutput(run: Run): void {
  if (run.result !== undefined) return
  const result = toResult(run)
  if (result.is_error === true) {
    run.isFailure = true
    run.kit.failed(run)
  }
  run.result = result
}

/** The output as a sound result: the right id, whole characters, nothing empty. A mapping that breaks is an error result. */
export function toResult(run: Run): ToolResultBlock {
  const { tool, call, returned } = run
  try {
    const { content, is_error: isError } = tool.mapResult(returned?.data, call.id)
    return {
      type: 'tool_result',
      tool_use_id: call.id,
      content: soundContent(tool.name, content),
      ...((isError === true || returned?.isError === true) && { is_error: true }),
    }
  } catch (error) {
    return errorResult(
      call.id,
      wrapError(`The call ran, but its output cannot be shown: ${describeError(error)}`),
    )
  }
}

/** Makes a call that ran an error after all. */
export function failWith(run: Run, message: string): void {
  run.isFailure = true
  run.result = errorResult(run.call.id, wrapError(message))
  run.kit.failed(run)
}
