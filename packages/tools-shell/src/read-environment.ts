import { basename } from 'node:path'
import { withoutUndefined } from '@x/contract'
import type { Environment } from './command-environment.ts'
import type { BashToolOptions } from './options.ts'

/** The options that the environment can set. */
export type BashEnvironmentOptions = Pick<
  BashToolOptions,
  | 'defaultTimeoutMs'
  | 'maxTimeoutMs'
  | 'maxOutputLength'
  | 'maintainsProjectDirectory'
  | 'allowsBackground'
  | 'shell'
  | 'shellPrefix'
> & {
  /** A file of `export` lines, read before each command. */
  readonly environmentFile?: string
}

/** Shells that understand what is given to them. */
const KNOWN_SHELLS = new Set(['bash', 'zsh', 'sh', 'dash', 'ash', 'ksh', 'mksh'])

const MAX_TIMER_MS = 2_147_483_647

/**
 * Turns the environment variables for the Bash tool into options. What is not set or cannot be read is left out, so that the
 * default stays. `SHELL` is looked at by the tool itself, in the environment of its commands.
 *
 * @example
 * readBashEnvironment({ BASH_DEFAULT_TIMEOUT_MS: '5000', BASH_MAX_TIMEOUT_MS: 'soon' }) // { defaultTimeoutMs: 5000 }
 */
export function readBashEnvironment(env: Environment): BashEnvironmentOptions {
  return withoutUndefined({
    defaultTimeoutMs: readNumber(env['BASH_DEFAULT_TIMEOUT_MS'], MAX_TIMER_MS),
    maxTimeoutMs: readNumber(env['BASH_MAX_TIMEOUT_MS'], MAX_TIMER_MS),
    maxOutputLength: readNumber(env['BASH_MAX_OUTPUT_LENGTH'], Number.MAX_SAFE_INTEGER),
    maintainsProjectDirectory: isOn(env['CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR']) ? true : undefined,
    allowsBackground: isOn(env['CLAUDE_CODE_DISABLE_BACKGROUND_TASKS']) ? false : undefined,
    shell: readShell(env['CLAUDE_CODE_SHELL']),
    shellPrefix: readText(env['CLAUDE_CODE_SHELL_PREFIX']),
    environmentFile: readText(env['CLAUDE_ENV_FILE']),
  })
}

/** Whole and positive; a larger number than the limit is the limit. */
function readNumber(text: string | undefined, limit: number): number | undefined {
  if (text === undefined || !/^\s*\d+\s*$/.test(text)) return undefined
  const value = Math.min(Number(text), limit)
  return value > 0 ? value : undefined
}

function isOn(text: string | undefined): boolean {
  return /^\s*(?:1|true|yes|on)\s*$/i.test(text ?? '')
}

function readShell(path: string | undefined): string | undefined {
  const text = readText(path)
  return text !== undefined && KNOWN_SHELLS.has(basename(text).replace(/\.exe$/i, '')) ? text : undefined
}

function readText(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text
}
