import { randomUUID } from 'node:crypto'
import { withoutUndefined } from '@x/contract'
import type {
  CallbackOptions,
  HookCallback,
  HookCallbackContext,
  RegisteredCallback,
} from './callback-hook.ts'
import { createEnvFile } from './env-file.ts'
import { type HookEventName, type HookInput, isHookEventName, specOf } from './events/table.ts'
import { strictest } from './hook-answer.ts'
import { hookEnvironment } from './hook-environment.ts'
import type { HookResult } from './hook-result.ts'
import type { HookSource, HooksConfig } from './hooks-config.ts'
import type { HooksOptions } from './hooks-options.ts'
import { createLateHooks, type LateHooks } from './late-hooks.ts'
import { createLimiter, type Limiter } from './limiter.ts'
import { compileMatcher } from './matcher.ts'
import { type HandlerEnd, mergeEnds } from './merge.ts'
import { describeError } from './raw-run.ts'
import {
  blocksUnread,
  type ConfiguredHook,
  type HookProblem,
  type ReadHooks,
  readHooks,
} from './read-hooks.ts'
import { nameOf, runCallback, runConfigured } from './run-event.ts'
import type { Dispatch } from './run-handler.ts'
import { identityOf, type Occasion, selectHooks, subjectOf } from './select-hooks.ts'
import { sharedBudget, timeLimitOf } from './time-limit.ts'
import { findWorkingFolder } from './working-folder.ts'

/** Whether a call may be put off, or who knows it. */
type MayDefer = boolean | (() => Promise<boolean>)

/** How one event is run. */
export interface RunHooksOptions {
  /** Ends all handlers, and what they started, when it aborts. */
  readonly signal?: AbortSignal
  /**
   * Whether the call may be put off; a function is asked only where that is what the hooks come to, and may wait. Where it may not, a
   * hook that says `defer` is told in `errors` and has no say. @default true
   */
  readonly mayDefer?: MayDefer
}

/** Hooks that are ready. Disposing ends what still runs in the background. */
export interface Hooks extends AsyncDisposable {
  /**
   * Runs all handlers that are meant, at once, and resolves with what they came to. Rejects never: what goes wrong is in the result.
   */
  run<Event extends HookEventName>(
    event: Event,
    input: HookInput<Event>,
    options?: RunHooksOptions,
  ): Promise<HookResult<Event>>
  /** Registers a callback behind all others; the returned function removes it. */
  on<Event extends HookEventName>(event: Event, callback: HookCallback<Event>): () => void
  /** The same with a matcher. */
  on<Event extends HookEventName>(
    event: Event,
    options: CallbackOptions,
    callback: HookCallback<Event>,
  ): () => void
  /** Takes another configuration. What runs keeps the old one; callbacks stay. */
  configure(config: HooksConfig | readonly HookSource[]): void
  /** Whether anything at all would listen to this event. */
  has(event: HookEventName): boolean
  /** Resolves when the `asyncRewake` handlers that run now have ended and are told; undefined where none runs. */
  readonly waking: Promise<unknown> | undefined
  /** The handlers of the configuration, in order. */
  readonly handlers: readonly ConfiguredHook[]
  /** What is wrong with the configuration. */
  readonly problems: readonly HookProblem[]
}

/**
 * Makes hooks of a configuration: the block `hooks` of a settings file, or several such blocks with their origins.
 *
 * @example
 * const hooks = createHooks({ PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './guard.sh' }] }] })
 * const { outcome, reason } = await hooks.run('PreToolUse', {
 *   tool_name: 'Bash', tool_input: { command: 'rm -rf /' }, tool_use_id: '1',
 * })
 */
export function createHooks(config: HooksConfig | readonly HookSource[], options: HooksOptions = {}): Hooks {
  const host: Host = {
    options,
    sessionId: randomUUID(),
    configured: readHooks(toSources(config)),
    callbacks: [],
    done: new Set(),
    late: createLateHooks(),
    unaborted: new AbortController().signal,
    limitQuestions: createLimiter(12),
  }
  return {
    run: async (event, input, options = {}) => {
      // The one edge: the fields of a result are what the answers for this event were parsed to.
      return (await runEvent(host, { event, input }, options)) as HookResult<typeof event>
    },
    on: (event: HookEventName, ...rest: readonly unknown[]) => register(host, event, rest),
    configure: (next) => {
      host.configured = readHooks(toSources(next))
    },
    has: (event) => [...host.configured.hooks, ...host.callbacks].some((hook) => hook.event === event),
    get waking() {
      return host.late.waking
    },
    get handlers() {
      return host.configured.hooks
    },
    get problems() {
      return host.configured.problems
    },
    [Symbol.asyncDispose]: () => host.late[Symbol.asyncDispose](),
  }
}

interface Host {
  readonly options: HooksOptions
  readonly sessionId: string
  configured: ReadHooks
  readonly callbacks: RegisteredCallback[]
  /** Handlers that run once and have; a configuration that is read again does not bring them back. */
  readonly done: Set<string>
  readonly late: LateHooks
  /** For events that nobody cancels. */
  readonly unaborted: AbortSignal
  readonly limitQuestions: Limiter
}

function toSources(config: HooksConfig | readonly HookSource[]): readonly HookSource[] {
  return isSources(config) ? config : [{ hooks: config }]
}

function isSources(config: HooksConfig | readonly HookSource[]): config is readonly HookSource[] {
  return Array.isArray(config)
}

function register(host: Host, event: HookEventName, rest: readonly unknown[]): () => void {
  if (!isHookEventName(event)) throw new TypeError(`hooks.on: ${String(event)} is no event`)
  const callback = rest.at(-1)
  if (typeof callback !== 'function') throw new TypeError(`hooks.on: the callback must be a function`)
  // The one edge: the overloads above check what comes here.
  const options = (rest.length > 1 ? rest[0] : {}) as CallbackOptions
  const { matcher, timeoutMs = 60_000, name = callback.name || 'callback' } = options
  const { matcher: field, names } = specOf(event)
  const compiled = compileMatcher(field === undefined ? undefined : matcher, names)
  if (!compiled.ok) throw new TypeError(`hooks.on: matcher is no regular expression: ${compiled.message}`)
  const entry: RegisteredCallback = {
    event,
    matcher,
    matches: compiled.matches,
    call: (input, context: HookCallbackContext): unknown =>
      Reflect.apply(callback, undefined, [input, context]),
    timeoutMs,
    label: name,
  }
  host.callbacks.push(entry)
  return () => {
    const index = host.callbacks.indexOf(entry)
    if (index !== -1) host.callbacks.splice(index, 1)
  }
}

function toFullInput(
  { options, sessionId }: Host,
  event: HookEventName,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const common = { session_id: sessionId, transcript_path: '', cwd: process.cwd(), ...options.common?.() }
  const all: Readonly<Record<string, unknown>> = { ...common, hook_event_name: event, ...input }
  const { permission_mode: mode, ...rest } = all
  const tellsMode = mode !== undefined && specOf(event).tellsMode === true
  return { ...rest, ...(tellsMode && { permission_mode: mode }) }
}

async function runEvent(
  host: Host,
  { event, input: given }: Occasion,
  { signal = host.unaborted, mayDefer = true }: RunHooksOptions,
): Promise<HookResult> {
  try {
    const input = toFullInput(host, event, given)
    const occasion = { event, input }
    const { hooks } = host.configured
    const meant = selectHooks(
      hooks.filter((hook) => hook.handler.once !== true || !host.done.has(identityOf(hook))),
      occasion,
      host.options.matchRule,
    )
    const subject = subjectOf(occasion)
    const callbacks = host.callbacks.filter(
      (callback) => callback.event === event && callback.matches(subject),
    )
    if (meant.length + callbacks.length === 0) return mergeEnds({ event, input, warnings: [] }, [])
    return await runAll(host, occasion, { meant, callbacks, signal, mayDefer })
  } catch (error) {
    return mergeEnds({ event, input: given, warnings: [] }, [toFault({ event, input: given }, error)])
  }
}

interface Meant {
  readonly meant: readonly ConfiguredHook[]
  readonly callbacks: readonly RegisteredCallback[]
  readonly signal: AbortSignal
  readonly mayDefer: MayDefer
}

async function runAll(
  host: Host,
  occasion: Occasion,
  { meant, callbacks, signal, mayDefer }: Meant,
): Promise<HookResult> {
  const { options, late, limitQuestions } = host
  const { event, input } = occasion
  const json = JSON.stringify(input)
  await using envFile = specOf(event).hasEnvFile === true ? await createEnvFile() : undefined
  const wanted = String(input['cwd'])
  const { env: base = process.env, projectDir = process.cwd() } = options
  const cwd = findWorkingFolder([wanted, projectDir])
  const warnings =
    cwd === wanted ? [] : [`${event} hooks: the working folder ${wanted} is gone; they run in ${cwd}`]
  const dispatch: Dispatch = {
    event,
    input,
    json,
    cwd,
    signal,
    options,
    late,
    limitQuestions,
    stdin: Buffer.from(`${json}\n`),
    env: once(() => hookEnvironment({ base, projectDir, input, envFile: envFile?.path })),
  }
  const budgetMs = sharedBudget(event, host.configured.hooks, base)
  const ends = await Promise.all([
    ...meant.map(async (hook) => {
      const end = await runConfigured(dispatch, { hook, timeoutMs: timeLimitOf(hook, budgetMs) })
      if (hook.handler.once === true && hasSucceeded(end)) host.done.add(identityOf(hook))
      return end
    }),
    ...callbacks.map((callback) =>
      runCallback(dispatch, { callback, timeoutMs: Math.min(callback.timeoutMs, budgetMs ?? Infinity) }),
    ),
  ])
  const envText = await envFile?.read()
  const counted = await countDefers(ends, mayDefer)
  return { ...mergeEnds({ event, input, warnings }, counted), ...(envText !== undefined && { envText }) }
}

async function countDefers(ends: readonly HandlerEnd[], mayDefer: MayDefer): Promise<readonly HandlerEnd[]> {
  if (strictest(ends.map(({ answer }) => answer.verdict)) !== 'defer') return ends
  const isGranted = typeof mayDefer === 'function' ? await mayDefer() : mayDefer
  return isGranted ? ends : ends.map(withoutDefer)
}

/** Only what the others say counts: a wish that cannot be granted must not outdo one to ask. */
function withoutDefer(end: HandlerEnd): HandlerEnd {
  if (end.answer.verdict !== 'defer') return end
  const error = `${end.report.name} hook [${end.report.label}] wants to defer the call; that is not possible here.`
  const { systemMessage, stop } = end.answer
  return {
    report: { ...end.report, error },
    answer: { fields: {}, ...withoutUndefined({ systemMessage, stop }) },
  }
}

/** The same value each time, made when it is first asked for. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

function hasSucceeded({ report }: HandlerEnd): boolean {
  return report.outcome === 'success' || report.outcome === 'background'
}

/** A fault of ours, or an input that is no JSON: where hooks guard something, it does not happen. */
function toFault(occasion: Occasion, error: unknown): HandlerEnd {
  const { event } = occasion
  const message = `${nameOf(occasion)} hooks could not be run: ${describeError(error)}`
  return {
    report: {
      id: randomUUID(),
      name: nameOf(occasion),
      label: 'hooks',
      type: 'callback',
      origin: 'session',
      outcome: 'failed',
      stdout: '',
      stderr: '',
      durationMs: 0,
      error: message,
    },
    answer: { fields: {}, ...(blocksUnread(event) && { verdict: 'deny', reason: message }) },
  }
}
