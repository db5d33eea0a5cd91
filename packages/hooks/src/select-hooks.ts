import { basename } from 'node:path'
import type { MatchRule } from '@x/contract'
import { type HookEventName, specOf } from './events/table.ts'
import { blocksUnread, type ConfiguredHook, isRule } from './read-hooks.ts'

/** What is asked of the hooks. */
export interface Occasion {
  /** The event. */
  readonly event: HookEventName
  /** What the hooks are told. */
  readonly input: Readonly<Record<string, unknown>>
}

/** The value that matchers look at; empty if there is none. */
export function subjectOf({ event, input }: Occasion): string {
  const { matcher } = specOf(event)
  const value = matcher === undefined ? '' : input[matcher]
  const text = typeof value === 'string' ? value : ''
  if (event === 'FileChanged') return basename(text)
  return matcher === 'to_model' ? text.replace(/\[1m\]$/, '') : text
}

/** The handlers that are meant, each once, in declared order. */
export function selectHooks(
  hooks: readonly ConfiguredHook[],
  occasion: Occasion,
  matchRule: MatchRule | undefined,
): readonly ConfiguredHook[] {
  const subject = subjectOf(occasion)
  const seen = new Set<string>()
  return hooks.filter((hook) => {
    if (hook.event !== occasion.event || hook.unusable !== undefined) return false
    const isMeant = hook.matches === undefined ? blocksUnread(hook.event) : hook.matches(subject)
    return isMeant && !isTooEarly(hook, occasion) && fitsIf(hook, occasion, matchRule) && isFirst(hook, seen)
  })
}

/** Servers are not connected yet when a project is set up or a session begins; after clearing or compaction they are. */
function isTooEarly({ handler }: ConfiguredHook, { event, input }: Occasion): boolean {
  if (handler.type !== 'mcp_tool') return false
  if (event === 'Setup') return true
  return event === 'SessionStart' && input['source'] !== 'clear' && input['source'] !== 'compact'
}

function fitsIf(
  { handler }: ConfiguredHook,
  { event, input }: Occasion,
  matchRule: MatchRule | undefined,
): boolean {
  const rule = handler.if
  if (rule === undefined) return true
  if (specOf(event).takesIf !== true) return false
  if (matchRule === undefined || !isRule(rule)) return true
  return matchRule(rule, String(input['tool_name']), toObject(input['tool_input']), String(input['cwd']))
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

function isFirst(hook: ConfiguredHook, seen: Set<string>): boolean {
  if (isOwn(hook)) return true
  const identity = identityOf(hook)
  if (seen.has(identity)) return false
  seen.add(identity)
  return true
}

/** What makes a handler the same: copies in several settings files are one, those of plugins and skills are their own. */
export function identityOf(hook: ConfiguredHook): string {
  const { event, handler, origin, plugin, file, path } = hook
  return JSON.stringify([event, isOwn(hook) ? [origin, plugin?.root, file, path] : keyOf(handler)])
}

function isOwn({ origin }: ConfiguredHook): boolean {
  return origin === 'plugin' || origin === 'skill'
}

function keyOf(handler: ConfiguredHook['handler']): unknown {
  switch (handler.type) {
    case 'command':
      return [handler.command, handler.args, handler.shell, handler.if, handler.timeout]
    case 'http':
      return [handler.url, handler.if]
    case 'mcp_tool':
    case 'prompt':
    case 'agent':
      return handler
  }
}
