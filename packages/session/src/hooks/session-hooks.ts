import type { MatchRule, SessionRecord, UserMessage } from '@x/contract'
import {
  type CommonHookInput,
  createHooks,
  type HookEventName,
  type HookInput,
  type HookResult,
  type HookSource,
  type Hooks,
  type HooksOptions,
  type LateHookResult,
  selectHookSources,
} from '@x/hooks'
import { notice } from '../notice.ts'
import { toReminder } from '../reminder.ts'
import { type HookCallbacks, registerCallbacks } from './hook-callbacks.ts'
import { toHookRecord } from './hook-records.ts'
import type { SessionHookSettings } from './hook-settings.ts'

/** What the hooks of a session are made of. */
export interface SessionHooksFacts {
  /** What settings files say. @default nothing is configured */
  readonly settings?: SessionHookSettings | undefined
  /** Sources that are no settings: plugins, agents. The switches of the settings hold for them. @default none */
  readonly beside?: readonly HookSource[]
  /** Hooks in code. @default none */
  readonly callbacks?: HookCallbacks | undefined
  /** The folder the session began in. */
  readonly projectDir: string
  /** What hooks inherit. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where texts go that are too long to pass on. */
  readonly overflowFolder: string
  /** Records of every event and not of the first ones alone. */
  readonly tellsAll: boolean
  readonly matchRule: MatchRule
  /** The common fields of the input, at each event. */
  readonly common: () => CommonHookInput
  /** Shows something to the user. */
  readonly tell: (record: SessionRecord) => void
  /** Writes a notification or title that a hook wants to the terminal. @default there is none */
  readonly terminal?: ((sequence: string) => void) | undefined
  /** Lets the model hear a text, also when it has nothing to do. */
  readonly wake: (text: string) => void
  /** Called when they are disposed of. */
  readonly onDispose?: () => void
  /** Whom handlers that ask something are given to. */
  readonly doors: Pick<HooksOptions, 'askModel' | 'askAgent' | 'callMcpTool'>
}

/** The hooks of one session. Disposing ends what still runs in the background. */
export interface SessionHooks extends AsyncDisposable {
  readonly hooks: Hooks
  /** Runs the hooks of an event; what they have to say to the user is told. Gives nothing where nobody listens. */
  readonly run: <Event extends HookEventName>(
    event: Event,
    input: HookInput<Event>,
    signal?: AbortSignal,
  ) => Promise<HookResult<Event> | undefined>
  /** Lets other settings count from the next event on. */
  useSettings(settings: SessionHookSettings): void
  /** Adds hooks in code; returns the undo. */
  register(callbacks: HookCallbacks): () => void
  /** The same hooks and one source more, for a part of the session; whoever makes them disposes of them. */
  extend(source: HookSource): SessionHooks
  /** What hooks that nobody waited for left for the model; each is handed out once. */
  takeLate(): readonly UserMessage[]
  /** Keeps a text for the model until the next request. */
  leave(message: UserMessage): void
  /** What is wrong with the configuration; a line each. */
  readonly problems: readonly string[]
}

/** Makes the hooks of a session. Nothing runs. */
export function createSessionHooks(facts: SessionHooksFacts): SessionHooks {
  const { settings, beside = [], callbacks = {} } = facts
  const late = createLateMessages()
  const hooks = createHooks(sourcesOf(settings, beside), {
    ...toOptions(facts),
    onLate: (result) => takeIn(result, { ...facts, leave: late.leave }),
  })
  registerCallbacks(hooks, callbacks)
  const extensions = createExtensions({ ...facts, settings, callbacks, beside }, hooks)
  return {
    hooks,
    async run(event, input, signal) {
      if (!hooks.has(event)) return undefined
      const result = await hooks.run(event, input, signal === undefined ? {} : { signal })
      tellOf(result, facts)
      return result
    },
    useSettings(next) {
      hooks.configure(sourcesOf(next, beside))
      extensions.follow(next)
    },
    register: (added) => extensions.register(added),
    extend: (source) => extensions.extend(source),
    takeLate: () => late.take(),
    leave: late.leave,
    get problems() {
      return hooks.problems.map(({ message, file }) => (file === undefined ? message : `${file}: ${message}`))
    },
    [Symbol.asyncDispose]() {
      facts.onDispose?.()
      return hooks[Symbol.asyncDispose]()
    },
  }
}

/** Hooks with one source more, for a part of the session. They follow what changes while they are used. */
function createExtensions(
  facts: SessionHooksFacts & { readonly callbacks: HookCallbacks; readonly beside: readonly HookSource[] },
  hooks: Hooks,
) {
  let { settings } = facts
  const open = new Set<SessionHooks>()
  const registered = new Set<HookCallbacks>([facts.callbacks])
  return {
    extend(source: HookSource): SessionHooks {
      const extended = createSessionHooks({
        ...facts,
        settings,
        beside: [...facts.beside, source],
        callbacks: {},
        onDispose: () => open.delete(extended),
      })
      for (const one of registered) extended.register(one)
      open.add(extended)
      return extended
    },
    follow(next: SessionHookSettings): void {
      settings = next
      for (const one of open) one.useSettings(next)
    },
    register(added: HookCallbacks): () => void {
      const undo = registerCallbacks(hooks, added)
      registered.add(added)
      return () => (registered.delete(added), undo())
    },
  }
}

/** Keeps what nobody waited for until the model is asked again. */
function createLateMessages() {
  let late: UserMessage[] = []
  return {
    leave: (message: UserMessage): void => void late.push(message),
    take(): readonly UserMessage[] {
      const taken = late
      late = []
      return taken
    },
  }
}

/** The settings' own come first. */
function sourcesOf(
  settings: SessionHookSettings | undefined,
  beside: readonly HookSource[],
): readonly HookSource[] {
  return [...(settings?.sources ?? []), ...selectHookSources(beside, settings?.switches ?? {})]
}

function tellOf(result: HookResult, { tell, terminal }: Pick<SessionHooksFacts, 'tell' | 'terminal'>): void {
  for (const sequence of result.terminalSequences) terminal?.(sequence)
  for (const text of result.systemMessages) tell(notice(text, 'notice'))
  for (const text of result.errors) tell(notice(text, 'warning'))
  tellOfCancelled(result, tell)
}

/** Tells what an abort cut short: what it was about is answered by then, so that nobody else can. */
export function tellOfCancelled({ handlers }: HookResult, tell: (record: SessionRecord) => void): void {
  for (const { outcome, name, label } of handlers) {
    if (outcome === 'cancelled') tell(notice(`${name} hook cancelled: [${label}]`, 'notice'))
  }
}

function toOptions(facts: SessionHooksFacts): HooksOptions {
  const { settings, projectDir, env, overflowFolder, matchRule, tellsAll, tell, doors } = facts
  return {
    ...doors,
    common: facts.common,
    projectDir,
    env,
    overflowFolder,
    matchRule,
    ...(settings?.allowedHttpUrls && { allowedHttpUrls: settings.allowedHttpUrls }),
    ...(settings?.allowedHttpEnvVars && { allowedHttpEnvVars: settings.allowedHttpEnvVars }),
    onProgress: (progress) => {
      if (tellsAll || startUp.has(progress.event)) tell(toHookRecord(progress))
    },
  }
}

/** Events whose records always go out. */
const startUp: ReadonlySet<HookEventName> = new Set(['SessionStart', 'Setup'])

interface LateDoor extends Pick<SessionHooksFacts, 'tell' | 'wake'> {
  leave(message: UserMessage): void
}

function takeIn({ event, report, context, systemMessages, wake }: LateHookResult, door: LateDoor): void {
  for (const text of [...context, ...systemMessages]) door.leave(toReminder(`${event} hook: ${text}`))
  if (report.error !== undefined) door.tell(notice(report.error, 'warning'))
  if (wake === undefined) return
  if (wake.summary !== undefined) door.tell(notice(wake.summary, 'notice'))
  door.wake(`${event} hook: ${wake.text}`)
}
