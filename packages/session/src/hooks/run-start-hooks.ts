import type { UserMessage } from '@x/contract'
import type { EnvironmentFile } from './environment-file.ts'
import { toReminder } from './reminder.ts'
import type { SessionHooks } from './session-hooks.ts'

/** How a session begins. */
export interface Start {
  readonly source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork'
  readonly model: string
  /** Runs the Setup hooks first. */
  readonly setup?: 'init' | 'maintenance' | undefined
  readonly signal: AbortSignal
}

/** What the hooks at the start of a session came to. */
export interface Started {
  /** Context that stands before the first prompt. */
  readonly context: readonly UserMessage[]
  /** The first prompt, in front of the one that was given. */
  readonly initialUserMessage?: string | undefined
  readonly sessionTitle?: string | undefined
  /** Files to watch. */
  readonly watchPaths: readonly string[]
}

/** Runs the Setup hooks, if they are meant, and the SessionStart hooks. Neither can stop the session. */
export async function runStartHooks(
  hooks: SessionHooks,
  environment: EnvironmentFile,
  { source, model, setup, signal }: Start,
): Promise<Started> {
  if (setup !== undefined) {
    const result = await hooks.run('Setup', { trigger: setup }, signal)
    await environment.keep('Setup', result?.envText)
  }
  const result = await hooks.run('SessionStart', { source, model }, signal)
  await environment.keep('SessionStart', result?.envText)
  const { initialUserMessage, sessionTitle, watchPaths = [] } = result?.fields ?? {}
  return {
    context: (result?.context ?? []).map((text) => toReminder(`SessionStart hook: ${text}`)),
    initialUserMessage,
    sessionTitle,
    watchPaths,
  }
}
