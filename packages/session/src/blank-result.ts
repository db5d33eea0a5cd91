import type { ResultRecord } from '@x/contract'

/** The result of a prompt with nothing in it: no model is asked. */
export const blankResult: ResultRecord = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  duration_ms: 0,
  duration_api_ms: 0,
  num_turns: 0,
  result: 'Blank prompt: there was nothing to answer.',
  stop_reason: null,
  terminal_reason: 'completed',
  total_cost_usd: 0,
  usage: {
    input_tokens: 0,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  },
  modelUsage: {},
  permission_denials: [],
}

const { result: _, ...withoutText } = blankResult

/** The result of a prompt that an interrupt took away before the model was asked; `why` says what became of it. */
export function interruptedResult(why: string): ResultRecord {
  return {
    ...withoutText,
    subtype: 'error_during_execution',
    is_error: true,
    errors: [why],
    terminal_reason: 'aborted_streaming',
  }
}
