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
