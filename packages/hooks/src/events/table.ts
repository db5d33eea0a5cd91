import type { z } from 'zod'
import type { EventSpec } from './event.ts'
import * as model from './model-events.ts'
import * as outside from './outside-events.ts'
import * as permission from './permission-events.ts'
import * as prompt from './prompt-events.ts'
import * as session from './session-events.ts'
import * as stop from './stop-events.ts'
import * as task from './task-events.ts'
import * as tool from './tool-events.ts'

/** All events by name: what hooks are told, what they may say, and what that does. */
export const hookEvents = {
  ...tool,
  ...permission,
  ...session,
  ...prompt,
  ...stop,
  ...task,
  ...outside,
  ...model,
}

/** The name of an event. */
export type HookEventName = keyof typeof hookEvents

/** The fields that every hook is told. What the caller leaves out is filled in. */
export interface CommonHookInput {
  /** The session. @default one id for each `createHooks` */
  readonly session_id?: string
  /** The file with the conversation. @default empty */
  readonly transcript_path?: string
  /** The working folder. @default the process's */
  readonly cwd?: string
  /** One id for each prompt of the user. */
  readonly prompt_id?: string
  /** A folder for files that only the session needs. */
  readonly scratchpad_dir?: string
  /** The permission mode, where the event tells it. */
  readonly permission_mode?: string
  /** How hard the model thinks. */
  readonly effort?: {
    /** `low`, `medium`, `high`, `xhigh` or `max`. */
    readonly level: string
  }
  /** The subagent. */
  readonly agent_id?: string
  /** Its kind. */
  readonly agent_type?: string
}

/** What the hooks of an event are told. */
export type HookInput<Event extends HookEventName> = z.input<(typeof hookEvents)[Event]['input']> &
  CommonHookInput

/** What the hooks of an event may say in `hookSpecificOutput`, or at the top level. */
export type HookFields<Event extends HookEventName> = z.output<(typeof hookEvents)[Event]['output']>

/** Whether this is the name of an event. */
export function isHookEventName(name: string): name is HookEventName {
  return Object.hasOwn(hookEvents, name)
}

/** The behaviour of an event, whichever it is. */
export function specOf(event: HookEventName): EventSpec {
  return hookEvents[event]
}
