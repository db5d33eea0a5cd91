import { z } from 'zod'
import { type HookEventName, hookEvents } from './events/table.ts'
import type { HookHandler } from './handler-config.ts'

/** Handlers that share a matcher. */
export interface HookGroup {
  /** Names separated by `|` or `,`, or a regular expression; empty, `*` or absent: always. */
  readonly matcher?: string | undefined
  /** The handlers. */
  readonly hooks: readonly HookHandler[]
}

/** A handler that stands below its event without a group. */
export type DirectHandler = HookHandler & {
  /** As in a group. */
  readonly matcher?: string
}

/** Handlers by event, in groups or directly. */
export type HooksConfig = {
  readonly [Event in HookEventName]?: readonly (HookGroup | DirectHandler)[]
}

/** Where hooks come from. Copies of one handler from settings run once; those of plugins and skills always run. */
export type HookOrigin =
  | 'managed'
  | 'user'
  | 'project'
  | 'local'
  | 'command-line'
  | 'agent'
  | 'plugin'
  | 'skill'
  | 'session'

/** A configuration and where it comes from. */
export interface HookSource {
  /** The block `hooks` of a settings file, or of a plugin's `hooks.json`. Bad entries are reported and left out. */
  readonly hooks: unknown
  /** Who wrote it. @default 'user' */
  readonly origin?: HookOrigin
  /** The file, for messages. */
  readonly file?: string
  /** The plugin it belongs to. */
  readonly plugin?: HookPlugin
}

/** What a plugin's hooks are told about it. */
export interface HookPlugin {
  /** Its name. */
  readonly name: string
  /** Its folder. */
  readonly root: string
  /** Its folder for data. */
  readonly data?: string
  /** Whether the managed settings turn it on, so that it counts as theirs. @default false */
  readonly isManaged?: boolean
  /** What the user has set for it, by key. */
  readonly options?: Readonly<Record<string, string>>
}

/**
 * The schema of the key `hooks` of a settings file, in both spellings: groups below the event, or handlers directly.
 *
 * It looks at the outside only. `createHooks` judges handler by handler, so that a wrong one costs no other.
 */
export const hooksSection = z.partialRecord(
  z.enum(Object.keys(hookEvents)),
  z.array(
    z.looseObject({
      /** What the group is for. */
      matcher: z.string().optional(),
      /** Its handlers. */
      hooks: z.array(z.unknown()).optional(),
    }),
  ),
)
