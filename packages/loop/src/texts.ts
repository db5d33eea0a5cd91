import type { ModelErrorCode } from '@x/contract'

/** What the model is told after an abort while it spoke. */
export const interruptedText = '[Request interrupted by user]'

/** What the model is told after an abort while its calls ran. */
export const interruptedForToolText = '[Request interrupted by user for tool use]'

/** What the model is told when its call was lost at the output limit. */
export const cutCallText =
  '[The output limit was reached inside a tool call. That call was lost and did not run; split the work into smaller calls.]'

/** The input error of a call whose input the output limit cut. */
export const cutInputText =
  'The output limit was reached inside the input of this call. It did not run; split the work into smaller calls.'

/** The answer to calls that had not begun when the model refused to go on. */
export const refusedCallText = 'Not run: the model declined to continue this message.'

/** The answer to calls that were running when the query was left. */
export const abandonedText = 'The query was left before this call had ended.'

/** The answer to calls beyond the turn limit. */
export function turnLimitText(maxTurns: number): string {
  return `Not run: the limit of ${maxTurns} turns with tools is reached.`
}

/** What is shown when a message broke off and is kept. */
export function brokenMessageText(code: ModelErrorCode): string {
  const what = brokenMessages[code] ?? 'Connection lost mid-response'
  return `API Error: ${what}. The response above may be incomplete.`
}

const brokenMessages: Partial<Record<ModelErrorCode, string>> = {
  server_error: 'Server error mid-response',
  overloaded: 'Server error mid-response',
  stalled: 'The response stopped arriving',
  timeout: 'The response stopped arriving',
}

/** Says what an unknown thing that was thrown says of itself. */
export function describeError(error: unknown): string {
  if (error instanceof Error) return error.message === '' ? error.name : error.message
  return typeof error === 'string' ? error : 'unknown error'
}
