import type { Model } from '@x/contract'
import type { Hooks } from '@x/hooks'
import { runStartHooks } from './hooks/run-start-hooks.ts'
import { readSessionEnvironment } from './session-environment.ts'
import type { QueryOptions } from './session-options.ts'
import { type SessionSetup, setUpSession } from './session-setup.ts'

/** Opens the hooks that a session with these options would have; no session runs. Whoever opens them disposes of them. */
export function openSessionHooks(options: QueryOptions): Hooks {
  return setUpQuietly(options).hooks.hooks
}

/** Runs the Setup hooks and those of a session's start, and nothing else. */
export async function runSetupHooks(
  options: QueryOptions & Required<Pick<QueryOptions, 'setup'>>,
  signal: AbortSignal,
): Promise<void> {
  const { hooks: ownHooks, environmentFile, model } = setUpQuietly(options)
  await using hooks = ownHooks
  await runStartHooks(hooks, environmentFile, { source: 'startup', model, setup: options.setup, signal })
}

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
