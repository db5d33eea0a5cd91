import type { TaskRegistry } from '@x/contract'
import { type BashOperations, nodeBashOperations } from './operations.ts'

/** Settings of `createBashTool`. */
export interface BashToolOptions {
  /** Where commands that run behind the conversation are known. Without it none can. */
  readonly tasks?: TaskRegistry
  /** Where the output of commands is kept; made at first use, for its owner only. @default a new temporary folder */
  readonly outputFolder?: string
  /** Path of the shell: a bash, zsh or POSIX shell. @default bash or zsh as `SHELL` says, else bash, else sh */
  readonly shell?: string
  /** Put in front of every command: a program (with options) that gets the whole shell line as one argument and runs it. */
  readonly shellPrefix?: string
  /** A file of `export` lines, read before each command; a function is asked before each of them. */
  readonly environmentFile?: string | (() => string | undefined)
  /** Takes functions, aliases and options over from the user's start-up file, once, at first use. @default true */
  readonly usesStartupFile?: boolean
  /** The longest a command waits for the start-up file, in milliseconds; a slower one serves later commands. @default 1000 */
  readonly startupWaitMs?: number
  /** The longest the start-up file may take at all, in milliseconds. @default 10_000 */
  readonly startupTimeoutMs?: number
  /** Ends what outlives a call, the shell that reads the start-up file, when it aborts. @default never */
  readonly signal?: AbortSignal
  /** Time for a command that asks for none, in milliseconds. @default 120_000 */
  readonly defaultTimeoutMs?: number
  /** Most time a command can ask for, in milliseconds; at least the default time. @default 600_000 */
  readonly maxTimeoutMs?: number
  /** Most characters of output that are read back; the model is shown 30,000 at most. Up to 150,000. @default 30_000 */
  readonly maxOutputLength?: number
  /** A command whose output grows past this many bytes is ended. @default 5_368_709_120 (5 GiB) */
  readonly maxOutputFileBytes?: number
  /** Lets commands run behind the conversation. @default true */
  readonly allowsBackground?: boolean
  /** Starts every command in the project folder. @default false */
  readonly maintainsProjectDirectory?: boolean
  /** Milliseconds between asking a process to end and forcing it. @default 1000 */
  readonly killGraceMs?: number
  /** Milliseconds that processes a command left behind get to end by themselves. @default 200 */
  readonly settleMs?: number
  /** Milliseconds between two reports of progress. @default 500 */
  readonly progressIntervalMs?: number
  /** The outside of the tool. @default this machine */
  readonly operations?: BashOperations
}

/** Options with their defaults; what has none stays optional. */
export type BashSettings = Required<Omit<BashToolOptions, OptionalName>> & Pick<BashToolOptions, OptionalName>

type OptionalName = 'tasks' | 'outputFolder' | 'shell' | 'shellPrefix' | 'environmentFile' | 'signal'

/** Most characters of a result that the model is shown. */
export const INLINE_CHARS = 30_000

/** Most characters of output that can be read back. */
const MAX_OUTPUT_LENGTH = 150_000

const MAX_TIMER_MS = 2_147_483_647

/**
 * Fills in the defaults.
 *
 * @throws RangeError if a number is out of range.
 */
export function resolveBashOptions(options: BashToolOptions): BashSettings {
  const settings: BashSettings = {
    usesStartupFile: true,
    startupWaitMs: 1000,
    startupTimeoutMs: 10_000,
    defaultTimeoutMs: 120_000,
    maxTimeoutMs: 600_000,
    maxOutputLength: INLINE_CHARS,
    maxOutputFileBytes: 5 * 1024 ** 3,
    allowsBackground: true,
    maintainsProjectDirectory: false,
    killGraceMs: 1000,
    settleMs: 200,
    progressIntervalMs: 500,
    operations: nodeBashOperations,
    ...options,
  }
  assertNumbers(settings)
  return {
    ...settings,
    maxOutputLength: Math.min(settings.maxOutputLength, MAX_OUTPUT_LENGTH),
    maxTimeoutMs: Math.max(settings.maxTimeoutMs, settings.defaultTimeoutMs),
  }
}

function assertNumbers(settings: BashSettings): void {
  const ranges = {
    startupWaitMs: [0, MAX_TIMER_MS],
    startupTimeoutMs: [1, MAX_TIMER_MS],
    defaultTimeoutMs: [1, MAX_TIMER_MS],
    maxTimeoutMs: [1, MAX_TIMER_MS],
    maxOutputLength: [1, Number.MAX_SAFE_INTEGER],
    maxOutputFileBytes: [1, Number.MAX_SAFE_INTEGER],
    killGraceMs: [0, MAX_TIMER_MS],
    settleMs: [0, MAX_TIMER_MS],
    progressIntervalMs: [1, MAX_TIMER_MS],
  } as const
  for (const name of Object.keys(ranges) as (keyof typeof ranges)[]) {
    const [low, high] = ranges[name]
    const value = settings[name]
    if (!(value >= low && value <= high)) {
      throw new RangeError(`${name} must be a number from ${low} to ${high}, got ${value}`)
    }
  }
}
