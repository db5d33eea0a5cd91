import type { UserMessage } from '@x/contract'
import { toReminder } from '../reminder.ts'
import type { EnvironmentFile } from './environment-file.ts'
import type { SessionHooks } from './session-hooks.ts'

/** How a session begins. */
export interface Start {
  readonly source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork'
  readonly model: string
  /** What is known of the session that goes on. */
  readonly past?: { readonly seconds: number; readonly contextTokens: number } | undefined
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

/** How long the service keeps a prompt in its cache. In seconds. */
const cacheLifeSeconds = 300

function describePast(past: Start['past']) {
  if (past === undefined) return {}
  return {
    seconds_since_last_response: past.seconds,
    context_tokens: past.contextTokens,
    prompt_cache_likely_expired: past.seconds > cacheLifeSeconds,
  }
}

/** Runs the Setup hooks, if they are meant, and the SessionStart hooks. Neither can stop the session. */
export async function runStartHooks(
  hooks: SessionHooks,
  environment: EnvironmentFile,
  { source, model, past, setup, signal }: Start,
): Promise<Started> {
  if (setup !== undefined) {
    const result = await hooks.run('Setup', { trigger: setup }, signal)
    await environment.keep('Setup', result?.envText)
  }
  const result = await hooks.run('SessionStart', { source, model, ...describePast(past) }, signal)
  await environment.keep('SessionStart', result?.envText)
  const { initialUserMessage, sessionTitle, watchPaths = [] } = result?.fields ?? {}
  return {
    context: (result?.context ?? []).map((text) => toReminder(`SessionStart hook: ${text}`)),
    initialUserMessage,
    sessionTitle,
    watchPaths,
  }
}
