import { cancelText, errorResult, unknownToolText, withheldText } from './answers.ts'
import type { Call } from './call.ts'
import type { CancelCause } from './causes.ts'
import { resultEvent } from './run.ts'
import { finalEvent } from './steps/deliver.ts'
import { cutResult } from './steps/limit-size.ts'
import type { Cause, ToolResultEvent } from './types.ts'

/** Words of others that an answer repeats. */
export interface CancelWords {
  readonly refusal: string | undefined
  readonly siblingFailure: string | undefined
  readonly rejectionHint: string | undefined
}

/** Answers a call that ends before its own answer: the real one where it is known by now, else why there is none. */
export function cancelEvent(call: Call, cause: CancelCause, words: CancelWords): ToolResultEvent {
  const { run } = call
  if (run === undefined) return bareEvent(call, cause, textFor(call, cause, words))
  if (run.result === undefined) {
    const text = run.hasReturned ? withheldText : textFor(call, cause, words)
    return resultEvent(run, cause, errorResult(call.id, text))
  }
  run.result = cutResult(run, run.result)
  return finalEvent(run, cause)
}

/** Answers a call of a tool that does not exist. */
export function unknownToolEvent(call: Call): ToolResultEvent {
  return bareEvent(call, 'unknown-tool', unknownToolText(call.block.name))
}

function bareEvent({ id }: Call, cause: Cause, text: string): ToolResultEvent {
  const result = errorResult(id, text)
  return { type: 'tool-result', toolUseId: id, cause, result, attached: [], notices: [] }
}

function textFor({ run }: Call, cause: CancelCause, words: CancelWords): string {
  if (cause === 'not-started' && words.refusal !== undefined && words.refusal.trim() !== '')
    return words.refusal
  if (cause === 'sibling-failed' && words.siblingFailure !== undefined) return words.siblingFailure
  const hasEntered = run?.hasEntered === true
  return cancelText({ cause, hasEntered, rejectionHint: words.rejectionHint })
}
