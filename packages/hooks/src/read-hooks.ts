import { type HookEventName, isHookEventName, specOf } from './events/table.ts'
import { type HookHandler, hookHandler } from './handler-config.ts'
import type { HookPlugin, HookSource } from './hooks-config.ts'
import { isRecord } from './is-record.ts'
import { compileMatcher, type Matcher } from './matcher.ts'
import { describeIssues } from './zod-text.ts'

/** A handler of a configuration that is wrong, or will not do what its author may think. */
export interface HookProblem {
  /** Where, as keys: `hooks.PreToolUse[0].hooks[1]`. */
  readonly path: string
  /** What is wrong, and what comes of it. */
  readonly message: string
  /** Whose configuration it is. */
  readonly origin: string
  /** The file, if known. */
  readonly file?: string
}

/** A handler that is ready to run. */
export interface ConfiguredHook {
  /** The event it waits for. */
  readonly event: HookEventName
  /** The matcher as written. */
  readonly matcher: string | undefined
  /** The matcher, ready; `undefined` if it is no regular expression. */
  readonly matches: Matcher | undefined
  /** What to do. */
  readonly handler: HookHandler
  /** Its time limit as written, if that is one. */
  readonly timeoutSeconds: number | undefined
  /** Whose it is. */
  readonly origin: string
  /** The file it stands in. */
  readonly file: string | undefined
  /** The plugin it belongs to. */
  readonly plugin: HookPlugin | undefined
  /** Why it never runs at this event, if so. */
  readonly unusable: string | undefined
  /** Where it stands, as keys. */
  readonly path: string
}

/** What could be read of some configurations. */
export interface ReadHooks {
  /** The handlers, in the order in which they are written. */
  readonly hooks: readonly ConfiguredHook[]
  /** What is wrong. */
  readonly problems: readonly HookProblem[]
}

/** Reads configurations entry by entry: what is wrong costs itself and is told. */
export function readHooks(sources: readonly HookSource[]): ReadHooks {
  const reader: Reader = { hooks: [], problems: [] }
  for (const source of sources) readSource(reader, source)
  return reader
}

interface Reader {
  readonly hooks: ConfiguredHook[]
  readonly problems: HookProblem[]
}

interface Place {
  readonly source: HookSource
  readonly event: HookEventName
  readonly path: string
}

function readSource(reader: Reader, source: HookSource): void {
  const block = unwrap(source.hooks)
  if (!isRecord(block))
    return report(reader, source, ['hooks', 'must be an object of events; none of its hooks run'])
  for (const [event, entries] of Object.entries(block)) {
    const path = `hooks.${event}`
    if (!isHookEventName(event))
      report(reader, source, [path, 'is no event that is known; its hooks do not run'])
    else if (!Array.isArray(entries)) report(reader, source, [path, 'must be a list; its hooks do not run'])
    else
      for (const [index, entry] of entries.entries()) {
        readEntry(reader, { source, event, path: `${path}[${index}]` }, entry)
      }
  }
}

/** A plugin's file has the block inside an object. */
function unwrap(hooks: unknown): unknown {
  return isRecord(hooks) && isRecord(hooks['hooks']) ? hooks['hooks'] : hooks
}

function readEntry(reader: Reader, place: Place, entry: unknown): void {
  const { source, path } = place
  if (!isRecord(entry)) return report(reader, source, [path, 'must be an object; it is left out'])
  const matcher = entry['matcher']
  if (matcher !== undefined && typeof matcher !== 'string') {
    return report(reader, source, [`${path}.matcher`, 'must be a text; the hooks of this entry do not run'])
  }
  if (!('hooks' in entry) && 'type' in entry) return readHandler(reader, { ...place, matcher }, entry)
  const handlers = entry['hooks']
  if (!Array.isArray(handlers)) {
    return report(reader, source, [path, 'has no list "hooks" and is no handler; it is left out'])
  }
  for (const [index, handler] of handlers.entries()) {
    readHandler(reader, { ...place, path: `${path}.hooks[${index}]`, matcher }, handler)
  }
}

function readHandler(
  reader: Reader,
  place: Place & { readonly matcher: string | undefined },
  value: unknown,
): void {
  const { source, event, path, matcher } = place
  const parsed = hookHandler.safeParse(value)
  if (!parsed.success) {
    return report(reader, source, [path, `is left out: ${describeIssues(parsed.error.issues)}`])
  }
  const spec = specOf(event)
  const handler = parsed.data
  const compiled = compileMatcher(spec.matcher === undefined ? undefined : matcher, spec.names)
  const unusable = spec.handlers.includes(handler.type)
    ? undefined
    : `${event} takes no handlers of the type ${handler.type}; this one does not run`
  const warn = (message: string): void => report(reader, source, [path, message])
  if (!compiled.ok)
    warn(`has a matcher that is no regular expression (${compiled.message}); ${effectOfUnread(event)}`)
  if (unusable !== undefined) warn(unusable)
  if (handler.if !== undefined) warnOfIf(warn, event, handler.if)
  if (handler.type === 'command') warnOfCommand(warn, handler.command, handler.args)
  reader.hooks.push({
    event,
    matcher,
    matches: compiled.ok ? compiled.matches : undefined,
    handler,
    timeoutSeconds: readTimeout(warn, handler.timeout),
    origin: source.origin ?? 'user',
    file: source.file,
    plugin: source.plugin,
    unusable,
    path,
  })
}

function readTimeout(warn: (message: string) => void, timeout: unknown): number | undefined {
  if (timeout === undefined) return undefined
  if (typeof timeout !== 'number' || !(timeout > 0) || !Number.isFinite(timeout)) {
    warn('has a timeout that is not a number of seconds above 0; the default counts')
    return undefined
  }
  if (timeout > 86_400) warn(`has a timeout of ${timeout} seconds, more than a day; the unit is seconds`)
  return timeout
}

function warnOfIf(warn: (message: string) => void, event: HookEventName, rule: string): void {
  if (specOf(event).takesIf !== true) warn(`has "if", which is never true at ${event}; it does not run`)
  else if (!isRule(rule))
    warn(`has an "if" that is not one permission rule; it runs whenever its matcher matches`)
}

/** Whether a text has the form of one permission rule. */
export function isRule(text: string): boolean {
  return /^[A-Za-z_*][\w*-]*(\(.*\))?$/s.test(text.trim())
}

function effectOfUnread(event: HookEventName): string {
  return blocksUnread(event) ? 'it refuses everything until that is mended' : 'it matches nothing'
}

/** Whether a matcher that cannot be read stops the action, so that a guard is not lost. */
export function blocksUnread(event: HookEventName): boolean {
  return event === 'PreToolUse' || event === 'PermissionRequest'
}

function warnOfCommand(
  warn: (message: string) => void,
  command: string,
  args: readonly string[] | undefined,
): void {
  if (args === undefined || !/\s/.test(command) || /[\\/]/.test(command)) return
  warn(`names the program "${command}", with a blank in it; with "args" that is one name, not a command line`)
}

function report(reader: Reader, source: HookSource, [path, message]: readonly [string, string]): void {
  const { origin = 'user', file } = source
  reader.problems.push({
    path,
    message: `${path} ${message}`,
    origin,
    ...(file === undefined ? {} : { file }),
  })
}
