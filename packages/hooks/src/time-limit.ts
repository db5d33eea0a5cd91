import { type HookEventName, specOf } from './events/table.ts'
import type { ConfiguredHook } from './read-hooks.ts'

const typeSeconds = { command: 600, http: 600, mcp_tool: 600, prompt: 30, agent: 60 }

/** Milliseconds a handler may take. */
export function timeLimitOf(hook: ConfiguredHook, budgetMs: number | undefined): number {
  const { handler, event, timeoutSeconds } = hook
  const defaultSeconds = Math.min(typeSeconds[handler.type], specOf(event).timeoutSeconds ?? Infinity)
  if (budgetMs === undefined) return (timeoutSeconds ?? defaultSeconds) * 1000
  return Math.min(timeoutSeconds === undefined ? budgetMs : timeoutSeconds * 1000, budgetMs)
}

const MOST_SECONDS = 60

/** Milliseconds that all hooks at the end of a session share; `undefined` at other events. */
export function sharedBudget(
  event: HookEventName,
  hooks: readonly ConfiguredHook[],
  env: Readonly<Record<string, string | undefined>>,
): number | undefined {
  if (event !== 'SessionEnd') return undefined
  const override = Number(env['CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS'])
  if (override > 0) return override
  const own = hooks
    .filter(({ event, origin }) => event === 'SessionEnd' && origin !== 'plugin')
    .map(({ timeoutSeconds = 0 }) => timeoutSeconds)
  return Math.min(Math.max(1.5, ...own), MOST_SECONDS) * 1000
}
