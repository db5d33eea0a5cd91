import type { HandlerType } from './events/event.ts'
import type { HookEventName, HookFields } from './events/table.ts'

/** How one handler ended. */
export type HandlerOutcome = 'success' | 'blocked' | 'failed' | 'timed-out' | 'cancelled' | 'background'

/** What became of one handler. */
export interface HandlerReport {
  /** One id for the start and the end of this run. */
  readonly id: string
  /** The event, and what the matcher looked at: `PreToolUse:Bash`. */
  readonly name: string
  /** The command line, address or question. */
  readonly label: string
  /** What it is. */
  readonly type: HandlerType | 'callback'
  /** Whose it is. */
  readonly origin: string
  /** How it ended. */
  readonly outcome: HandlerOutcome
  /** The exit status of a command that ended by itself. */
  readonly exitCode?: number
  /** What it wrote. */
  readonly stdout: string
  /** What it wrote to standard error. */
  readonly stderr: string
  /** Milliseconds it took. */
  readonly durationMs: number
  /** What went wrong, for the user. */
  readonly error?: string
}

/** What all hooks of one event came to. Lists are in declared order, whatever finished first. */
export interface HookResult<Event extends HookEventName = HookEventName> {
  /** The event. */
  readonly event: Event
  /** What the hooks want: `deny` before `defer`, `ask` and `allow`; `block` where there is nothing to permit. */
  readonly outcome: 'none' | 'allow' | 'ask' | 'defer' | 'deny' | 'block'
  /** Why, one line for each hook that wants it. A question of a configured hook says whose it is: `[settings]`, `[plugin:NAME]`, `[skill]`. */
  readonly reason?: string
  /** The same for the model, where the event gives it to the model. */
  readonly feedback: readonly string[]
  /** Context for the model. */
  readonly context: readonly string[]
  /** Messages of the hooks for the user. */
  readonly systemMessages: readonly string[]
  /** What went wrong, for the user. */
  readonly errors: readonly string[]
  /** The query ends after this. */
  readonly stop?: {
    /** For the user. */
    readonly reason: string
  }
  /** Takes the place of the tool's input. */
  readonly updatedInput?: Readonly<Record<string, unknown>>
  /** Takes the place of the tool's output; boxed, as any value may. */
  readonly updatedOutput?: {
    /** The new output. */
    readonly value: unknown
  }
  /** Who rewrote input or output, in order; the last one counts. */
  readonly rewrites: readonly HookRewrite[]
  /** The other fields that the event listens to. */
  readonly fields: Partial<HookFields<Event>>
  /** Sequences for the terminal. */
  readonly terminalSequences: readonly string[]
  /** The `export` lines for later commands, where the event takes them. */
  readonly envText?: string
  /** The handlers that ran. */
  readonly handlers: readonly HandlerReport[]
  /** Some were cut short by an abort. */
  readonly isCancelled: boolean
}

/** One rewriting. */
export interface HookRewrite {
  /** The handler's label. */
  readonly by: string
  /** What was rewritten. */
  readonly target: 'input' | 'output'
  /** What it was. */
  readonly original: unknown
  /** What it is now. */
  readonly updated: unknown
}

/** What a hook that nobody waits for says in the end. */
export interface LateHookResult {
  /** The event it ran at. */
  readonly event: HookEventName
  /** What became of it. */
  readonly report: HandlerReport
  /** Context for the model's next turn. */
  readonly context: readonly string[]
  /** Messages for the model's next turn. */
  readonly systemMessages: readonly string[]
  /** Wakes the model at once with this text. */
  readonly wake?: {
    /** For the model. */
    readonly text: string
    /** For the user. */
    readonly summary?: string
  }
}
