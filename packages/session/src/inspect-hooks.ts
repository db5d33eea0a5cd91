import type { Hooks } from '@x/hooks'
import { runStartHooks } from './hooks/run-start-hooks.ts'
import type { QueryOptions } from './session-options.ts'
import { setUpQuietly } from './set-up-quietly.ts'

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
