import type { Model } from '@x/contract'
import { readSessionEnvironment } from './session-environment.ts'
import type { QueryOptions } from './session-options.ts'
import { type SessionSetup, setUpSession } from './session-setup.ts'

/** A session that answers no prompt needs no endpoint; a hook that asks a model is told so. */
export function setUpQuietly(options: QueryOptions): SessionSetup {
  const env = { ...(options.env ?? process.env), ...options.settings?.env }
  const endpoint = readSessionEnvironment(env).hasEndpoint ? undefined : noEndpoint
  return setUpSession({ ...(endpoint && { endpoint }), ...options })
}

const noEndpoint: Model = {
  contextWindow: () => 0,
  // oxlint-disable-next-line require-yield -- there is nobody who could say anything
  async *stream() {
    throw new Error('No model endpoint is configured')
  },
}
