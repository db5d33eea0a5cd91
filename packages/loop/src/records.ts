import type {
  ApiErrorName,
  AssistantRecord,
  JsonObject,
  ModelError,
  ModelErrorCode,
  SystemRecord,
  UserMessage,
  UserRecord,
} from '@x/contract'
import type { RetryPlan } from './retry.ts'
import type { QueryState } from './state.ts'

/** Whose records these are: all that a query has, or just its place. */
export type Placed = Pick<QueryState, 'place'>

/** Makes a note for the user. */
export function noteRecord(
  state: Placed,
  content: string,
  options: { readonly level?: 'info' | 'notice' | 'warning'; readonly toolUseId?: string } = {},
): SystemRecord {
  const { level = 'warning', toolUseId } = options
  return systemRecord(state, 'informational', {
    content,
    level,
    ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
  })
}

/** Makes a record of type `system`. */
export function systemRecord({ place }: Placed, subtype: string, fields: JsonObject): SystemRecord {
  return { type: 'system', subtype, ...(place.parent_tool_use_id !== null && place), ...fields }
}

/** Makes the record of a request that is sent again. */
export function retryRecord(
  state: Placed,
  { plan, error }: { readonly plan: RetryPlan; readonly error: ModelError },
): SystemRecord {
  return systemRecord(state, 'api_retry', {
    attempt: plan.attempt,
    max_retries: plan.maxRetries,
    retry_delay_ms: plan.delayMs,
    error_status: error.status,
    error: apiErrorName(error),
    // For people: what the documented names above cannot say.
    message: error.message,
  })
}

/** Makes the record of a user message that nobody typed. */
export function syntheticRecord({ place }: Placed, message: UserMessage): UserRecord {
  return { type: 'user', message, isSynthetic: true, ...place }
}

/** Makes the record that shows a failure of the service as if the model said it; it is not part of the history. */
export function apiErrorRecord({ place }: Placed, text: string, error: ApiErrorName): AssistantRecord {
  return {
    type: 'assistant',
    message: {
      role: 'assistant',
      content: [{ type: 'text', text }],
      model: '<synthetic>',
      stop_reason: null,
    },
    error,
    ...place,
  }
}

/** Names a failure as the records do. */
export function apiErrorName({ code }: Pick<ModelError, 'code'>): ApiErrorName {
  return errorNames[code]
}

const errorNames: Record<ModelErrorCode, ApiErrorName> = {
  authentication_failed: 'authentication_failed',
  billing_error: 'billing_error',
  permission_denied: 'authentication_failed',
  rate_limit: 'rate_limit',
  overloaded: 'overloaded',
  invalid_request: 'invalid_request',
  prompt_too_long: 'invalid_request',
  request_too_large: 'invalid_request',
  model_not_found: 'model_not_found',
  server_error: 'server_error',
  connection_lost: 'unknown',
  stalled: 'unknown',
  timeout: 'unknown',
  unknown: 'unknown',
}
