import { ModelError } from '@x/contract'

/** Makes the error of a response that did not come to its end. */
export function lostError(what: string): ModelError {
  return new ModelError(`Connection lost: ${what}`, {
    code: 'connection_lost',
    status: null,
    isRetryable: true,
  })
}
